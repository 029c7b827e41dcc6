import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";
import { type FormErrors, errorSummary } from "../parts/form-errors.ts";
import { newPasswordFields } from "../parts/new-password.ts";

/** The form that sets a new password. It does not say whose. */
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
        <p class="soft">It ends every session of yours, on every device. Then you log in with it.</p>
      </div>
      ${errorSummary(errors)}
      <form class="form" method="post">
        ${newPasswordFields(errors, { minLength, focused: errors === null })}
        <button class="button button-primary button-wide">Change the password</button>
      </form>
    </div>`,
  );
}

/** What is shown for every link that does nothing any more, or never did. */
export function invalidResetLinkView(): Html {
  return gatePage(
    { title: "This link is no longer valid" },
    html`<div class="stack">
      <div>
        <h1>This link is no longer valid.</h1>
        <p class="soft">A link works once and for 60 minutes. You can ask for a new one at any time.</p>
      </div>
      <a class="button button-primary button-wide" href="/users/forgot-password">Ask for a new link</a>
      <p class="small"><a href="/users/log-in">Back to log-in</a></p>
    </div>`,
  );
}
