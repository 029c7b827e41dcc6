import { type Html, html } from "../html.ts";
import { passwordField } from "./field.ts";
import type { FormErrors, Labels } from "./form-errors.ts";

/** How errors name the two fields of a new password. */
export const NEW_PASSWORD_LABELS: Labels = {
  password: "Password",
  passwordConfirmation: "The repeated password",
};

/** The two fields of a new password, as the pages of mailed links have them; `focused` where they come first. */
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
    label: "New password, again",
    autocomplete: "new-password",
    errors,
  })}`;
}
