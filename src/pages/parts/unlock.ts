import { type Html, html } from "../html.ts";

/** What stands in the place of forms that only somebody may send who has given the password lately. */
export function unlock(path: string): Html {
  return html`<div class="notice unlock">
    <p>To change anything here, confirm first that it is you.</p>
    <a class="button" href="${confirmPasswordPath(path)}">Confirm with your password</a>
  </div>`;
}

/** The address of the page that asks for the password, and then returns to a path. */
export function confirmPasswordPath(returnTo: string): string {
  return `/users/confirm-password?return_to=${encodeURIComponent(returnTo)}`;
}
