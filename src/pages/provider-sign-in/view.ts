import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";

/** On the way to a provider. A page between, because forms may lead to this site only. */
export function leavingView(url: URL): Html {
  return gatePage(
    { title: "Continue to your company" },
    html`<div class="stack">
      <div>
        <h1>Continue to your company</h1>
        <p class="soft">You sign in at <strong>${url.host}</strong>, and come back then.</p>
      </div>
      <a class="button button-primary button-wide" href="${url.href}" rel="noreferrer">Continue</a>
    </div>`,
  );
}
