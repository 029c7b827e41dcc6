import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";

/** What the page of an error says. */
export type ErrorProps = {
  title: string;
  detail: string;
  /** Shown where somebody may ask us about it. */
  requestId: string | null;
};

/** The page of an error that no form could be shown again for. */
export function errorView({ title, detail, requestId }: ErrorProps): Html {
  return gatePage(
    { title },
    html`<div class="stack">
      <div>
        <h1>${title}</h1>
        <p class="soft">${detail}</p>
      </div>
      ${requestId !== null && html`<p class="small soft">If you ask us about it, tell us <code>${requestId}</code>.</p>`}
      <a class="button button-wide" href="/">Go to the start</a>
    </div>`,
  );
}
