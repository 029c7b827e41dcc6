import { type Html, html } from "../html.ts";
import { passwordField } from "./field.ts";
import type { FormErrors, Labels } from "./form-errors.ts";

/** Labels of the new password fields in errors. */
export const NEW_PASSWORD_LABELS: Labels = {
  password: "Password",
  passwordConfirmation: "The repeated password",
};

/** The two fields to set a new password. `focused` if they come first on the page. */
export function newPasswordFields(
  errors: FormErrors | null,
  { minLength, focused }: { minLength: number; focused: boolean },
): Html {
  return html`${passwordField({
    id: "password",
    name: "user[password]",
    label: "New password",
    hint: `At least ${minLength} characters. A few words in a row are easy to remember and hard to guess.`,
    autocomplete: "new-password",
    focused,
    errors,
  })}
  ${passwordField({
    id: "passwordConfirmation",
    name: "user[password_confirmation]",
    label: "Repeat new password",
    autocomplete: "new-password",
    errors,
  })}`;
}
