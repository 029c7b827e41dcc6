import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";
import { field } from "../parts/field.ts";

/** The form to request a password reset link. */
export function forgotPasswordView(): Html {
  return gatePage(
    { title: "Reset your password" },
    html`<div class="stack">
      <div>
        <h1>Reset your password</h1>
        <p class="soft">Enter your email address and we'll send you a reset link.</p>
      </div>
      <form class="form" method="post" action="/users/forgot-password">
        ${field({
          id: "email",
          name: "user[email]",
          label: "Email",
          type: "email",
          errors: null,
          input: { autocomplete: "username", required: true, maxlength: 160, autofocus: true },
        })}
        <button class="button button-primary button-wide">Send reset link</button>
      </form>
      <p class="small"><a href="/users/log-in">Back to log-in</a></p>
    </div>`,
  );
}

/** The same confirmation for every request. */
export function linkSentView(): Html {
  return gatePage(
    { title: "Check your inbox" },
    html`<div class="stack">
      <div>
        <h1>Check your inbox</h1>
        <p role="status">
          If an account exists for that address, we have sent a link to reset its password. The link works
          once and expires in 60 minutes.
        </p>
      </div>
      <p class="small soft">
        No email? Check your spam folder, or <a href="/users/forgot-password">request another link</a>.
      </p>
      <p class="small"><a href="/users/log-in">Back to log-in</a></p>
    </div>`,
  );
}
