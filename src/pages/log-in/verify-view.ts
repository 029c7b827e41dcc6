import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";
import { codeField } from "../parts/code-field.ts";
import { passkeyButton } from "../parts/passkey-button.ts";
import { type FormErrors, errorSummary } from "../parts/form-errors.ts";

type VerifyProps = {
  /** Why the code before was refused. */
  problem: string | null;
  /** Whether the person can use a passkey instead. */
  hasPasskey: boolean;
};

/** Asks for a code after a right password. */
export function verifyView({ problem, hasPasskey }: VerifyProps): Html {
  const errors: FormErrors | null = problem === null ? null : { fields: {}, general: [problem] };
  return gatePage(
    { title: "Enter a code", hasErrors: errors !== null },
    html`<div class="stack">
      <div>
        <h1>Enter a code</h1>
        <p class="soft">
          Your account has a second factor. Open your authenticator app, or use a recovery code.
        </p>
      </div>
      ${errorSummary(errors)}
      <form class="form" method="post">
        ${codeField({ label: "Code", errors, focused: errors === null })}
        <button class="button button-primary button-wide">Log in</button>
      </form>
      ${hasPasskey && passkeyButton()}
      <p class="small soft">
        Lost both? An owner of your workspace can remove your second factor.
        <a href="/users/log-in">Back to the log-in</a>
      </p>
    </div>`,
  );
}
