import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { passwordField, usernameField } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { findNotice } from "../../parts/notice.ts";

export type PasswordProps = {
  visitor: Visitor;
  /** Whether the person's password counts for something. */
  isUsed: boolean;
  /** For password managers. */
  email: string;
  minLength: number;
  notice?: string | undefined;
  errors: FormErrors | null;
};

const NOT_USED = "Passwords don't count in your workspace: its members sign in with their company's account.";

export function passwordView(props: PasswordProps): Html {
  const { visitor, isUsed, notice, errors } = props;
  return settingsPage(
    {
      title: "Password",
      section: "/settings/password",
      visitor,
      hasErrors: errors !== null,
      lead: isUsed ? "Changing your password logs you out on all other devices." : NOT_USED,
    },
    html`${findNotice({ changed: "Your password has been changed. All your other sessions have ended." }, notice)}
    ${errorSummary(errors)} ${isUsed && passwordForm(props)}`,
  );
}

function passwordForm({ email, minLength, errors }: PasswordProps): Html {
  return html`<section class="card">
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
        label: "Repeat new password",
        autocomplete: "new-password",
        errors,
      })}
      <div class="actions"><button class="button button-primary">Change password</button></div>
    </form>
  </section>`;
}
