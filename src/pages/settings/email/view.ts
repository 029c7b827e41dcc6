import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { field } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { findNotice } from "../../parts/notice.ts";
import { unlock } from "../../parts/unlock.ts";

export type EmailProps = {
  visitor: Visitor;
  current: string | null;
  typed: string;
  isSudo: boolean;
  /** Whether emails are sent. Otherwise they are files on the server. */
  isMailed: boolean;
  notice?: string | undefined;
  errors: FormErrors | null;
};

const UNMAILED =
  "No mail provider is set up, so nothing is sent: whoever runs the service finds the link in the mailbox folder on the server.";

const NOTICES = {
  sent: "We have sent a link to the new address. Follow it within 24 hours to complete the change. It won't work if another member already uses that address.",
  changed: "The email address of that account has been changed.",
};

export function emailView(props: EmailProps): Html {
  const { visitor, current, isSudo, notice, errors } = props;
  return settingsPage(
    {
      title: "Email",
      section: "/settings/email",
      visitor,
      hasErrors: errors !== null,
      lead: "The address you log in with and receive emails at.",
    },
    html`${findNotice(props.isMailed ? NOTICES : { ...NOTICES, sent: `The change is waiting. ${UNMAILED} It works for 24 hours.` }, notice)}
      ${errorSummary(errors)}
      <section class="card stack">
        <dl class="facts">
          <dt>Current address</dt>
          <dd>${current ?? "None"}</dd>
        </dl>
        ${isSudo && form(props)}
      </section>
      ${!isSudo && unlock("/settings/email")}`,
  );
}

function form({ typed, errors, isMailed }: EmailProps): Html {
  return html`<form class="form narrow" method="post">
    ${field({
      id: "email",
      label: "New address",
      type: "email",
      value: typed,
      hint: `${isMailed ? "We'll send a link to this address." : UNMAILED} Nothing changes until you follow it.`,
      errors,
      input: { autocomplete: "email", required: true, maxlength: 160 },
    })}
    <div class="actions">
      <button class="button button-primary">${isMailed ? "Send link" : "Create link"}</button>
    </div>
  </form>`;
}
