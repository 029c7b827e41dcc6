import { type Content, type Html, html } from "../html.ts";
import { logo } from "../parts/logo.ts";
import { type PageHead, renderDocument } from "./document.ts";

/** The layout of pages without a session: the logo and one card. */
export function gatePage(head: PageHead & { foot?: Content }, content: Content): Html {
  return renderDocument(
    head,
    html`<body class="gate">
      <main class="gate-main">
        ${logo()}
        <div class="card">${content}</div>
        ${head.foot !== undefined && html`<p class="gate-foot">${head.foot}</p>`}
      </main>
    </body>`,
  );
}
