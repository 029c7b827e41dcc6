import { type Content, type Html, html } from "../html.ts";

/** A destructive act that asks once more in place: its button opens what it means, and the button that does it. */
export function confirm({
  title,
  means,
  button,
  fields,
  isSmall = false,
}: {
  title: Content;
  means: Content;
  button: string;
  /** The form's fields, the hidden ones too. */
  fields: Content;
  isSmall?: boolean;
}): Html {
  return html`<details class="confirm">
    <summary class="button${isSmall && " button-small"}">${title}</summary>
    <form class="confirm-body" method="post">
      ${fields}
      <p>${means}</p>
      <div><button class="button button-danger button-small">${button}</button></div>
    </form>
  </details>`;
}
