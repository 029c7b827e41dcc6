import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";
import { passwordField } from "../parts/field.ts";
import { codeField } from "../parts/code-field.ts";
import { type FormErrors, errorSummary } from "../parts/form-errors.ts";
import { passkeyButton } from "../parts/passkey-button.ts";
import { hiddenFields } from "../parts/hidden-fields.ts";
import { notice } from "../parts/notice.ts";

export type ConfirmPasswordProps = {
  returnTo: string;
  errors: FormErrors | null;
  /** Whether a form was rejected for lack of confirmation, and has to be sent again. */
  isInterrupted: boolean;
  /** Whether the session began at a provider; null if that is not known here. */
  isByProvider: boolean | null;
  /** Whether the person has a second factor; null if that is not known here. */
  asksCode: boolean | null;
  /** Whether the person can use a passkey instead. */
  hasPasskey: boolean;
};

const UNKNOWN = { hint: "If you have one.", required: false };

export function confirmPasswordView(props: ConfirmPasswordProps): Html {
  const { returnTo, errors, isInterrupted, asksCode } = props;
  return gatePage(
    { title: "Confirm it's you", hasErrors: errors !== null },
    html`<div class="stack">
      <div>
        <h1>Confirm it's you</h1>
        <p class="soft">
          To change credentials, members or workspace settings, you must have entered your password within the
          last 20 minutes.
        </p>
      </div>
      ${isInterrupted && notice("warn", "Nothing has been changed. Confirm your password, then try again.")}
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
        ${asksCode !== false && codeField({ label: "Code of your second factor", errors, ...(asksCode === null && UNKNOWN) })}
        <button class="button button-primary button-wide">Continue</button>
      </form>
      ${props.hasPasskey && passkeyButton({ return_to: returnTo })} ${byProvider(props)}
      <p class="small"><a href="${returnTo}">Cancel</a></p>
    </div>`,
  );
}

function byProvider({ returnTo, isByProvider }: ConfirmPasswordProps): Html | false {
  if (isByProvider === false) return false;
  if (isByProvider === null) {
    const path = `/users/confirm-password?return_to=${encodeURIComponent(returnTo)}`;
    return html`<p class="small"><a href="${path}">Confirm with a passkey or your company's account</a></p>`;
  }
  return html`<form class="form" method="post" action="/users/confirm-password/provider">
    ${hiddenFields({ return_to: returnTo })}
    <button class="button button-wide">Confirm with your company's account</button>
  </form>`;
}
