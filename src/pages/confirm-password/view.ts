import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";
import { passwordField } from "../parts/field.ts";
import { type FormErrors, errorSummary } from "../parts/form-errors.ts";
import { hiddenFields } from "../parts/hidden-fields.ts";
import { notice } from "../parts/notice.ts";

/** What the page that asks for the password once more shows. */
export type ConfirmPasswordProps = {
  returnTo: string;
  errors: FormErrors | null;
  /** Whether something was asked for that has not been done, and has to be asked for again. */
  isInterrupted: boolean;
};

/** The page that asks for the password once more. */
export function confirmPasswordView({ returnTo, errors, isInterrupted }: ConfirmPasswordProps): Html {
  return gatePage(
    { title: "Confirm it is you", hasErrors: errors !== null },
    html`<div class="stack">
      <div>
        <h1>Confirm it is you</h1>
        <p class="soft">
          Credentials, members and the workspace's settings are changed only by whoever has given the password
          within the last 20 minutes.
        </p>
      </div>
      ${isInterrupted && notice("warn", "Nothing was changed yet. Confirm, and then do it again.")}
      ${errorSummary(errors)}
      <form class="form" method="post" action="/users/confirm-password">
        ${hiddenFields({ return_to: returnTo })}
        ${passwordField({
          id: "password",
          label: "Password",
          autocomplete: "current-password",
          focused: errors === null,
          errors,
        })}
        <button class="button button-primary button-wide">Continue</button>
      </form>
      <p class="small"><a href="${returnTo}">Cancel</a></p>
    </div>`,
  );
}
