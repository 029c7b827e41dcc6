import { LIMITS } from "../../../domain/kernel/limits.ts";
import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { checkbox, field, radioGroup, selectField } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { findNotice } from "../../parts/notice.ts";
import { time } from "../../parts/time.ts";

/** Some time zones have other names too, such as Asia/Kolkata. */
const TIME_ZONES: readonly string[] = ["UTC", ...Intl.supportedValuesOf("timeZone")];

/** What the form has, as it was typed. */
export type NotificationValues = {
  alerts: boolean;
  questions: boolean;
  questionMinutes: string;
  digest: string;
  digestHour: string;
  timeZone: string;
};

export type NotificationsProps = {
  visitor: Visitor;
  email: string | null;
  values: NotificationValues;
  digestDueAt: string | null;
  notice?: string | undefined;
  errors: FormErrors | null;
};

export function notificationsView(props: NotificationsProps): Html {
  const { visitor, email, errors, notice } = props;
  return settingsPage(
    {
      title: "Notifications",
      section: "/settings/notifications",
      visitor,
      hasErrors: errors !== null,
      lead: "Which emails you get. Each has a link to unsubscribe from its kind.",
    },
    html`${findNotice({ saved: "Your notifications have been saved." }, notice)} ${errorSummary(errors)}
    ${email === null ? noAddress() : form(props, email)}`,
  );
}

function noAddress(): Html {
  return html`<section class="card">
    <p>Your account has no email address. <a href="/settings/email">Add one</a> to be told of something.</p>
  </section>`;
}

function form(props: NotificationsProps, email: string): Html {
  const { values, errors } = props;
  const { questionMinutes } = LIMITS;
  return html`<form class="form" method="post">
    <section class="card stack">
      <div class="stack-s">
        <h2>At once</h2>
        <p class="hint">To ${email}. What happens within five minutes is in one email.</p>
      </div>
      ${checkbox({
        id: "alerts",
        label: "Alerts",
        checked: values.alerts,
        hint: "When an alert rule fires, and when it is resolved.",
      })}
      ${checkbox({
        id: "questions",
        label: "Questions that wait",
        checked: values.questions,
        hint: "When nobody has answered an agent for as long as you say here.",
      })}
      ${field({
        id: "questionMinutes",
        label: "After how many minutes",
        type: "number",
        value: values.questionMinutes,
        errors,
        input: {
          min: questionMinutes.min,
          max: questionMinutes.max,
          inputmode: "numeric",
          "data-short": true,
        },
      })}
    </section>
    ${digestCard(props)}
    <div class="actions"><button class="button button-primary">Save</button></div>
  </form>`;
}

function digestCard({ values, digestDueAt, errors }: NotificationsProps): Html {
  const hours = Array.from({ length: LIMITS.digestHour.max + 1 }, (_, hour) => String(hour));
  return html`<section class="card stack">
    <h2>Digest</h2>
    ${radioGroup({
      id: "digest",
      label: "How often",
      hint: "What was done, what failed, what it cost, and what waits for a person.",
      value: values.digest,
      errors,
      options: [
        { value: "NEVER", title: "Never" },
        { value: "DAILY", title: "Every day" },
        { value: "WEEKLY", title: "Every Monday" },
      ],
    })}
    <div class="columns narrow">
      ${selectField({
        id: "digestHour",
        label: "Hour",
        value: values.digestHour,
        errors,
        options: hours.map((value) => ({ value, title: `${value.padStart(2, "0")}:00` })),
      })}
      ${selectField({
        id: "timeZone",
        label: "Time zone",
        value: values.timeZone,
        errors,
        options: [...new Set([...TIME_ZONES, values.timeZone])].map((value) => ({
          value,
          title: value.replaceAll("_", " "),
        })),
      })}
    </div>
    ${digestDueAt !== null && html`<p class="hint">The next one comes ${time(digestDueAt)}.</p>`}
  </section>`;
}
