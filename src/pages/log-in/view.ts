import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";
import { checkbox, field, passwordField, radioGroup } from "../parts/field.ts";
import { type FormErrors, errorSummary } from "../parts/form-errors.ts";
import { hiddenFields } from "../parts/hidden-fields.ts";
import { findNotice } from "../parts/notice.ts";

export type LogInProps = {
  email: string;
  remember: boolean;
  returnTo: string;
  notice?: string | undefined;
  /** Why the log-in failed. */
  problem: string | null;
  /** The workspaces to choose from, if the password matches several accounts. */
  workspaces: readonly { id: string; name: string }[];
  /** Whether this site can have passkeys. */
  hasPasskeys: boolean;
};

const NOTICES = {
  "password-reset": "Your password has been changed. Log in with the new one.",
  "logged-out": "You have been logged out.",
  welcome: "Your account is ready. Log in with your new password.",
  "email-changed": "Your email address has been changed. Log in with the new one.",
  ended: "The log-in took too long, or too many codes were wrong. Log in again.",
};

export function logInView(props: LogInProps): Html {
  const { email, remember, returnTo, problem, workspaces } = props;
  const errors: FormErrors | null = problem === null ? null : { fields: {}, general: [problem] };
  const isAgain = email !== "";
  return gatePage(
    { title: "Log in", hasErrors: errors !== null },
    html`<div class="stack">
      <h1>Log in</h1>
      ${findNotice(NOTICES, props.notice)} ${errorSummary(errors)}
      <form class="form" method="post" action="/users/log-in">
        ${hiddenFields({ return_to: returnTo })} ${workspaces.length > 0 && workspaceChoice(workspaces)}
        ${field({
          id: "email",
          name: "user[email]",
          label: "Email",
          type: "email",
          value: email,
          errors,
          input: {
            autocomplete: "username",
            required: true,
            maxlength: 160,
            autofocus: !isAgain && props.notice === undefined,
          },
        })}
        ${passwordField({
          id: "password",
          name: "user[password]",
          label: "Password",
          autocomplete: "current-password",
          errors,
        })}
        <div class="row-between">
          ${checkbox({
            id: "remember-me",
            name: "user[remember_me]",
            label: "Stay logged in for 14 days",
            checked: remember,
          })}
        </div>
        <button class="button button-primary button-wide">Log in</button>
        ${otherWays(props)}
        <p class="small"><a href="/users/forgot-password">Forgot your password?</a></p>
      </form>
    </div>`,
  );
}

/** Buttons of the same form that lead elsewhere. */
function otherWays({ hasPasskeys }: LogInProps): Html {
  return html`<button class="button button-wide" formaction="/users/log-in/provider" formnovalidate>
      Continue with your company's account
    </button>
    ${
      hasPasskeys &&
      html`<button class="button button-wide" formaction="/users/log-in/passkey" formnovalidate>
        Log in with a passkey
      </button>`
    }`;
}

function workspaceChoice(workspaces: LogInProps["workspaces"]): Html {
  return radioGroup({
    id: "workspace",
    label: "Workspace",
    hint: "Your email and password match accounts in several workspaces. Choose one and enter your password again.",
    value: "",
    options: workspaces.map(({ id, name }) => ({ value: id, title: name })),
    errors: null,
  });
}
