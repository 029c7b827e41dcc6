import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";

/** The page that a link to a new email address opens: the change is done by its button. */
export function confirmEmailView(): Html {
  return gatePage(
    { title: "Confirm your new email address" },
    html`<div class="stack">
      <div>
        <h1>Confirm your new email address</h1>
        <p class="soft">
          From then on you log in with it. Links to reset the password that are on their way end.
        </p>
      </div>
      <form method="post">
        <button class="button button-primary button-wide">Use this address</button>
      </form>
    </div>`,
  );
}

/** What is shown for every such link that does nothing any more, or never did. */
export function invalidEmailLinkView(): Html {
  return gatePage(
    { title: "This link is no longer valid" },
    html`<div class="stack">
      <div>
        <h1>This link is no longer valid.</h1>
        <p class="soft">It works once and for 24 hours. You can ask for another one in your settings.</p>
      </div>
      <a class="button button-primary button-wide" href="/settings/email">Go to your settings</a>
    </div>`,
  );
}
