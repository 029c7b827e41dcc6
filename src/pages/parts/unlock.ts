import { type Html, html } from "../html.ts";

/** Shown instead of forms that require a recently entered password. */
export function unlock(path: string): Html {
  return html`<div class="notice unlock">
    <p>To make changes here, confirm it's you first.</p>
    <a class="button" href="${confirmPasswordPath(path)}">Confirm</a>
  </div>`;
}

/** The URL of the page that asks for the password and then returns to a path. */
export function confirmPasswordPath(returnTo: string): string {
  return `/users/confirm-password?return_to=${encodeURIComponent(returnTo)}`;
}
