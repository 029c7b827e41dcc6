import { type Content, type Html, html } from "../html.ts";

/** A destructive action that asks for confirmation in place: a button that reveals the consequences and the real button. */
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
  /** The form's fields, including hidden ones. */
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
