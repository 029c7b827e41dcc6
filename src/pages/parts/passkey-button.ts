import { type Html, html } from "../html.ts";
import { hiddenFields } from "./hidden-fields.ts";

/** A form that leads to the page on which the browser uses a passkey. */
export function passkeyButton(fields: Record<string, string> = {}): Html {
  return html`<form class="form" method="post">
    ${hiddenFields({ act: "begin-passkey", ...fields })}
    <button class="button button-wide">Use a passkey</button>
  </form>`;
}
