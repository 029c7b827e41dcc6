import { type Content, type Html, attributes, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";
import { hiddenFields } from "../parts/hidden-fields.ts";
import { PASSKEY_SCRIPT } from "./script.ts";

export type CeremonyProps = {
  title: string;
  lead: string;
  button: string;
  kind: "create" | "get";
  /** For the browser, as JSON. */
  options: object;
  /** Where the form goes, with hidden fields and others. */
  action: string;
  hidden: Record<string, string>;
  fields?: Content;
  /** Where one goes who has no passkey here. */
  back: string;
};

/** Makes or uses a passkey. */
export function ceremonyView({ title, lead, button, kind, options, ...form }: CeremonyProps): Html {
  const { action, hidden, fields, back } = form;
  const data = { "data-passkey": kind, "data-options": JSON.stringify(options) };
  return gatePage(
    { title, script: PASSKEY_SCRIPT.path },
    html`<div class="stack">
      <div>
        <h1>${title}</h1>
        <p class="soft">${lead}</p>
      </div>
      <div class="notice notice-bad" id="passkey-problem" role="alert" tabindex="-1" hidden>
        The passkey could not be used, or you canceled it. Try again.
      </div>
      <form class="form" method="post" action="${action}" ${attributes(data)}>
        ${hiddenFields({ ...hidden, response: "" })} ${fields}
        <button class="button button-primary button-wide">${button}</button>
      </form>
      <noscript><p class="small">Passkeys need JavaScript, on this page only.</p></noscript>
      <p class="small"><a href="${back}">Back</a></p>
    </div>`,
  );
}
