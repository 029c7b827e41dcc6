import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";
import { field, usernameField } from "../parts/field.ts";
import { type FormErrors, errorSummary } from "../parts/form-errors.ts";
import { newPasswordFields } from "../parts/new-password.ts";

/** What the page of an invitation shows. */
export type InvitationProps = {
  workspaceName: string;
  email: string;
  name: string;
  minLength: number;
  errors: FormErrors | null;
};

/** The form with which an invited person makes the account. */
export function invitationView({ workspaceName, email, name, minLength, errors }: InvitationProps): Html {
  return gatePage(
    { title: `Join ${workspaceName}`, hasErrors: errors !== null },
    html`<div class="stack">
      <div>
        <h1>Join ${workspaceName}</h1>
        <p class="soft">You were invited as <strong>${email}</strong>. Choose a password, and you are in.</p>
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

/** What is shown for every invitation that does nothing any more, or never did. */
export function invalidInvitationView(): Html {
  return gatePage(
    { title: "This invitation is no longer valid" },
    html`<div class="stack">
      <div>
        <h1>This invitation is no longer valid.</h1>
        <p class="soft">
          It works once and for seven days. If you have an account already, log in; else ask whoever invited
          you for another one.
        </p>
      </div>
      <a class="button button-primary button-wide" href="/users/log-in">Go to log-in</a>
    </div>`,
  );
}
