import type { DomainSignIn } from "../../auth/oidc/find-domain-sign-in.ts";
import { type Html, attributes, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";
import { logInPath } from "../http/to-own-path.ts";
import { checkbox, field, passwordField, radioGroup, usernameField } from "../parts/field.ts";
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
  /** How people with this address may log in. The page asks for an address if it is null. */
  domain: DomainSignIn | null;
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
  const { domain, problem } = props;
  const errors: FormErrors | null = problem === null ? null : { fields: {}, general: [problem] };
  return gatePage(
    { title: "Log in", hasErrors: errors !== null },
    html`<div class="stack">
      ${domain === null ? addressStep(props, errors) : credentialStep({ ...props, domain }, errors)}
    </div>`,
  );
}

function addressStep(props: LogInProps, errors: FormErrors | null): Html {
  const { email, remember, returnTo, notice, hasPasskeys } = props;
  const autofocus = errors === null && notice === undefined;
  return html`<h1>Log in</h1>
    ${findNotice(NOTICES, notice)} ${errorSummary(errors)}
    <form class="form" method="post" action="/users/log-in">
      ${hiddenFields({ return_to: returnTo })}
      ${field({
        id: "email",
        name: "user[email]",
        label: "Email",
        type: "email",
        value: email,
        errors,
        input: { autocomplete: "username", required: true, maxlength: 160, autofocus },
      })}
      ${checkbox({
        id: "remember-me",
        name: "user[remember_me]",
        label: "Stay logged in for 14 days",
        checked: remember,
      })}
      <button class="button button-primary button-wide">Continue</button>
      ${
        hasPasskeys &&
        html`<button class="button button-wide" formaction="/users/log-in/passkey" formnovalidate>
          Log in with a passkey
        </button>`
      }
    </form>`;
}

type CredentialProps = LogInProps & { domain: DomainSignIn };

function credentialStep(props: CredentialProps, errors: FormErrors | null): Html {
  const { email, returnTo, domain } = props;
  return html`<div>
      <h1>Log in</h1>
      <p class="soft">${email}</p>
      <p class="small"><a href="${logInPath(returnTo)}">Use another address</a></p>
    </div>
    ${errorSummary(errors)} ${domain.hasProvider && providerForm(props, errors)}
    ${domain.isEnforced ? foldedPassword(props, errors) : passwordForm(props, errors)}`;
}

function providerForm(props: CredentialProps, errors: FormErrors | null): Html {
  const autofocus = errors === null;
  return html`<form class="form" method="post" action="/users/log-in/provider">
    ${sharedFields(props)}
    <button class="button button-primary button-wide" ${attributes({ autofocus })}>
      Continue with your company's account
    </button>
  </form>`;
}

/** For whom a provider that is enforced lets in by a password all the same. */
function foldedPassword(props: CredentialProps, errors: FormErrors | null): Html {
  const open = errors !== null || props.workspaces.length > 0;
  return html`<details class="fold" ${attributes({ open })}>
    <summary>Log in with a password</summary>
    ${passwordForm(props, errors)}
  </details>`;
}

function passwordForm(props: CredentialProps, errors: FormErrors | null): Html {
  const { email, domain, workspaces } = props;
  const buttonClass = `button button-wide${domain.hasProvider ? "" : " button-primary"}`;
  return html`<form class="form" method="post" action="/users/log-in">
    ${sharedFields(props)} ${usernameField(email)} ${workspaces.length > 0 && workspaceChoice(workspaces)}
    ${passwordField({
      id: "password",
      name: "user[password]",
      label: "Password",
      autocomplete: "current-password",
      errors,
      focused: errors === null && !domain.hasProvider,
    })}
    <button class="${buttonClass}">Log in</button>
    <p class="small"><a href="/users/forgot-password">Forgot your password?</a></p>
  </form>`;
}

function sharedFields({ email, remember, returnTo }: LogInProps): Html {
  return hiddenFields({
    return_to: returnTo,
    "user[email]": email,
    "user[remember_me]": String(remember),
  });
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
