import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { field } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { findNotice } from "../../parts/notice.ts";
import { unlock } from "../../parts/unlock.ts";

/** What the page that changes one's email address shows. */
export type EmailProps = {
  visitor: Visitor;
  current: string | null;
  typed: string;
  isSudo: boolean;
  notice?: string | undefined;
  errors: FormErrors | null;
};

const NOTICES = {
  sent: "We have sent a link to the new address. The change is made when you follow it, within 24 hours, unless another member has that address.",
  changed: "The email address of the account that asked for it is changed.",
};

/** The page that changes one's email address. */
export function emailView(props: EmailProps): Html {
  const { visitor, current, isSudo, notice, errors } = props;
  return settingsPage(
    {
      title: "Email",
      section: "/settings/email",
      visitor,
      hasErrors: errors !== null,
      lead: "You log in with this address, and letters go to it.",
    },
    html`${findNotice(NOTICES, notice)} ${errorSummary(errors)}
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

function form({ typed, errors }: EmailProps): Html {
  return html`<form class="form narrow" method="post">
    ${field({
      id: "email",
      label: "New address",
      type: "email",
      value: typed,
      hint: "We send a link to it. Until you follow that link, nothing changes.",
      errors,
      input: { autocomplete: "email", required: true, maxlength: 160 },
    })}
    <div class="actions"><button class="button button-primary">Send the link</button></div>
  </form>`;
}
