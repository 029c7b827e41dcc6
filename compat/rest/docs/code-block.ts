import { html } from "hono/html";
import type { DocsHtml } from "./schema-fields.ts";

/** Code under its language. The page's script adds a button that copies it, and shows one `language` at a time. */
export function codeBlock(title: string, code: string, language = ""): DocsHtml {
  // Without white space around the code, which would be shown.
  return html`<figure class="code" data-language="${language}">
    <figcaption>${title}</figcaption>
    <pre tabindex="0"><code>${code}</code></pre>
  </figure>`;
}
