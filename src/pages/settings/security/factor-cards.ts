import { type Html, html } from "../../html.ts";
import { confirm } from "../../parts/confirm.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { badge } from "../../parts/notice.ts";
import { time } from "../../parts/time.ts";

/** The user's second factors. */
export type Factors = {
  authenticatorApp: { createdAt: string; lastUsedAt: string } | null;
  passkeys: readonly { id: string; name: string; createdAt: string; lastUsedAt: string | null }[];
  recoveryCodesLeft: number;
};

/** Below this, the user is reminded to renew them. */
const FEW_CODES = 3;

/** The authenticator app, to be added or removed. */
export function appCard({ authenticatorApp: app }: Factors, isSudo: boolean): Html {
  return html`<section class="card stack-m">
    <div class="stack-s">
      <h2>Authenticator app ${app === null ? badge("plain", "Not set up") : badge("good", "On")}</h2>
      <p class="soft">
        ${
          app === null
            ? "An app on your phone that shows a new code every 30 seconds, such as Google Authenticator, 1Password or Aegis."
            : html`Added ${time(app.createdAt)}, last used ${time(app.lastUsedAt)}.`
        }
      </p>
    </div>
    ${isSudo && app === null && act("begin-app", "Set up an authenticator app")}
    ${isSudo && app !== null && removal()}
  </section>`;
}

function removal(): Html {
  return confirm({
    title: "Remove",
    means:
      "A log-in will not ask for a code of this app any more. Without another second factor, your recovery codes are deleted too.",
    button: "Remove authenticator app",
    fields: hiddenFields({ act: "remove-app" }),
  });
}

/** The recovery codes; nothing without a second factor. */
export function codesCard(
  { authenticatorApp, passkeys, recoveryCodesLeft: left }: Factors,
  isSudo: boolean,
): Html | false {
  if (authenticatorApp === null && passkeys.length === 0) return false;
  return html`<section class="card stack-m">
    <div class="stack-s">
      <h2>Recovery codes ${badge(left < FEW_CODES ? "warn" : "plain", `${left} left`)}</h2>
      <p class="soft">
        For when you have lost your phone or key. Each code works once, in place of the second factor.
      </p>
    </div>
    ${
      isSudo &&
      confirm({
        title: "Make new codes",
        means: "You get ten new codes. The ones before don't work any more.",
        button: "Make new codes",
        fields: hiddenFields({ act: "renew-codes" }),
      })
    }
  </section>`;
}

function act(name: string, title: string): Html {
  return html`<form method="post">
    ${hiddenFields({ act: name })}<button class="button button-primary">${title}</button>
  </form>`;
}
