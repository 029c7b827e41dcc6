import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";
import { field, usernameField } from "../parts/field.ts";
import { type FormErrors, errorSummary } from "../parts/form-errors.ts";
import { newPasswordFields } from "../parts/new-password.ts";

export type InvitationProps = {
  workspaceName: string;
  email: string;
  name: string;
  minLength: number;
  errors: FormErrors | null;
};

/** The form to accept an invitation. */
export function invitationView({ workspaceName, email, name, minLength, errors }: InvitationProps): Html {
  return gatePage(
    { title: `Join ${workspaceName}`, hasErrors: errors !== null },
    html`<div class="stack">
      <div>
        <h1>Join ${workspaceName}</h1>
        <p class="soft">
          You were invited as <strong>${email}</strong>. Choose a password to create your account.
        </p>
      </div>
      ${errorSummary(errors)}
      <form class="form" method="post">
        ${usernameField(email)}
        ${field({
          id: "name",
          name: "user[name]",
          label: "Your name",
          value: name,
          errors,
          input: { autocomplete: "name", maxlength: 100, autofocus: errors === null },
        })}
        ${newPasswordFields(errors, { minLength, focused: false })}
        <button class="button button-primary button-wide">Join the workspace</button>
      </form>
    </div>`,
  );
}

/** Shown for an invitation that is unknown, used or expired. */
export function invalidInvitationView(): Html {
  return gatePage(
    { title: "This invitation is no longer valid" },
    html`<div class="stack">
      <div>
        <h1>This invitation is no longer valid.</h1>
        <p class="soft">
          It works once, within seven days. If you already have an account, log in. Otherwise ask the person
          who invited you to send another one.
        </p>
      </div>
      <a class="button button-primary button-wide" href="/users/log-in">Go to log-in</a>
    </div>`,
  );
}
