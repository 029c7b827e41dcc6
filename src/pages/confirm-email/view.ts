import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";

/** The page opened by the confirmation link. Nothing changes until its button is pressed. */
export function confirmEmailView(): Html {
  return gatePage(
    { title: "Confirm your new email address" },
    html`<div class="stack">
      <div>
        <h1>Confirm your new email address</h1>
        <p class="soft">
          From then on you log in with this address. Password reset links already sent stop working.
        </p>
      </div>
      <form method="post">
        <button class="button button-primary button-wide">Use this address</button>
      </form>
    </div>`,
  );
}

/** Shown for a link that is unknown, used or expired. */
export function invalidEmailLinkView(): Html {
  return gatePage(
    { title: "This link is no longer valid" },
    html`<div class="stack">
      <div>
        <h1>This link is no longer valid.</h1>
        <p class="soft">A link works once, within 24 hours. You can request a new one in your settings.</p>
      </div>
      <a class="button button-primary button-wide" href="/settings/email">Go to your settings</a>
    </div>`,
  );
}
