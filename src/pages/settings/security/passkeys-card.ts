import { type Html, html } from "../../html.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { table } from "../../parts/table.ts";
import { time } from "../../parts/time.ts";
import type { Factors } from "./factor-cards.ts";

/** The user's passkeys, to be added and removed. */
export function passkeysCard(
  { passkeys }: Factors,
  { isSudo, canAdd }: { isSudo: boolean; canAdd: boolean },
): Html {
  return html`<section class="card stack-m">
    <div class="stack-s">
      <h2>Passkeys</h2>
      <p class="soft">
        Keys that your browser, your phone or a security key keeps. They log you in without a password, or
        after it in place of a code.
      </p>
    </div>
    ${passkeys.length > 0 && list(passkeys, isSudo)}
    ${!canAdd && html`<p class="soft">This server can't have passkeys: it needs PUBLIC_BASE_URL with a host name over https.</p>`}
    ${
      isSudo &&
      canAdd &&
      html`<form method="post">
        ${hiddenFields({ act: "begin-passkey" })}<button class="button">Add a passkey</button>
      </form>`
    }
  </section>`;
}

function list(passkeys: Factors["passkeys"], isSudo: boolean): Html {
  return table(
    "Your passkeys",
    [
      { title: "Name", cell: ({ name }) => html`<span class="primary">${name}</span>` },
      { title: "Added", cell: ({ createdAt }) => time(createdAt) },
      { title: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt === null ? "Never" : time(lastUsedAt)) },
      { title: "Actions", isEnd: true, cell: (passkey) => isSudo && removeButton(passkey) },
    ],
    passkeys,
  );
}

function removeButton({ id, name }: Factors["passkeys"][number]): Html {
  return html`<form method="post">
    ${hiddenFields({ act: "remove-passkey", id })}
    <button class="button button-small">Remove<span class="visually-hidden"> ${name}</span></button>
  </form>`;
}
