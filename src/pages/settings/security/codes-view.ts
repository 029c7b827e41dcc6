import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { notice } from "../../parts/notice.ts";

/** The only page that shows recovery codes. */
export function codesView({ visitor, codes }: { visitor: Visitor; codes: readonly string[] }): Html {
  return settingsPage(
    {
      title: "Your recovery codes",
      section: "/settings/security",
      above: { href: "/settings/security", title: "Security" },
      visitor,
    },
    html`${notice("warn", html`<strong>Keep them now.</strong> You won't be able to see them again.`)}
      <section class="card stack">
        <p class="soft">
          If you lose your second factor, log in with one of these codes. Each works once. Print them, or
          store them in a password manager, but not on the phone with the app.
        </p>
        <ul class="codes" aria-label="Recovery codes">
          ${codes.map((code) => html`<li><code>${code}</code></li>`)}
        </ul>
        <div class="actions">
          <a class="button button-primary" href="/settings/security">I have kept them</a>
        </div>
      </section>`,
  );
}
