import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";
import { type FormErrors, errorSummary } from "../parts/form-errors.ts";
import { newPasswordFields } from "../parts/new-password.ts";

/** The form to set a new password. It doesn't say for which account. */
export function resetPasswordView({
  errors,
  minLength,
}: {
  errors: FormErrors | null;
  minLength: number;
}): Html {
  return gatePage(
    { title: "Choose a new password", hasErrors: errors !== null },
    html`<div class="stack">
      <div>
        <h1>Choose a new password</h1>
        <p class="soft">This logs you out on all devices. Then log in with the new password.</p>
      </div>
      ${errorSummary(errors)}
      <form class="form" method="post">
        ${newPasswordFields(errors, { minLength, focused: errors === null })}
        <button class="button button-primary button-wide">Change password</button>
      </form>
    </div>`,
  );
}

/** Shown for a link that is unknown, used or expired. */
export function invalidResetLinkView(): Html {
  return gatePage(
    { title: "This link is no longer valid" },
    html`<div class="stack">
      <div>
        <h1>This link is no longer valid.</h1>
        <p class="soft">A link works once, within 60 minutes. You can request a new one at any time.</p>
      </div>
      <a class="button button-primary button-wide" href="/users/forgot-password">Request a new link</a>
      <p class="small"><a href="/users/log-in">Back to log-in</a></p>
    </div>`,
  );
}
