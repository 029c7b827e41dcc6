import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { passwordField, usernameField } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { findNotice } from "../../parts/notice.ts";

/** What the page that changes one's password shows. */
export type PasswordProps = {
  visitor: Visitor;
  /** For the browser's password manager. */
  email: string;
  minLength: number;
  notice?: string | undefined;
  errors: FormErrors | null;
};

/** The page that changes one's password. */
export function passwordView({ visitor, email, minLength, notice, errors }: PasswordProps): Html {
  return settingsPage(
    {
      title: "Password",
      section: "/settings/password",
      visitor,
      hasErrors: errors !== null,
      lead: "A new password logs you out everywhere but here.",
    },
    html`${findNotice({ changed: "Your password is changed. Every other session of yours has ended." }, notice)}
      ${errorSummary(errors)}
      <section class="card">
        <form class="form narrow" method="post">
          ${usernameField(email)}
          ${passwordField({
            id: "currentPassword",
            name: "current_password",
            label: "Current password",
            autocomplete: "current-password",
            errors,
          })}
          ${passwordField({
            id: "newPassword",
            name: "password",
            label: "New password",
            hint: `At least ${minLength} characters. A few words in a row are easy to remember and hard to guess.`,
            autocomplete: "new-password",
            errors,
          })}
          ${passwordField({
            id: "newPasswordConfirmation",
            name: "password_confirmation",
            label: "New password, again",
            autocomplete: "new-password",
            errors,
          })}
          <div class="actions"><button class="button button-primary">Change the password</button></div>
        </form>
      </section>`,
  );
}
