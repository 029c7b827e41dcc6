import type { AlertNews, Email, LateQuestion } from "../../domain/emails/email.ts";
import { countOf } from "./count-of.ts";
import { formatEmail } from "./format-email.ts";
import type { RenderedEmail } from "./rendered-email.ts";

/** Why a person gets the emails of the settings. */
export const ASKED_FOR = "You get this email because you asked for it in your notification settings.";

/** Sent when alert rules fire or are resolved. */
export function renderAlerts(email: Extract<Email, { kind: "alerts" }>): RenderedEmail {
  const { workspace, name, alerts, link, unsubscribeLink } = email;
  const firing = alerts.filter(({ isFiring }) => isFiring);
  const resolved = alerts.length - firing.length;
  const [first] = firing.length > 0 ? firing : alerts;
  const subject =
    alerts.length === 1 && first !== undefined
      ? `${first.isFiring ? "Alert" : "Resolved"}: ${shorten(first.name)}`
      : [
          ...(firing.length > 0 ? [`${countOf(firing.length, "alert")} firing`] : []),
          ...(resolved > 0 ? [`${firing.length > 0 ? resolved : countOf(resolved, "alert")} resolved`] : []),
        ].join(", ");
  return formatEmail({
    subject,
    name,
    before: [`In the workspace “${workspace}”:`],
    list: alerts.map(describeAlert),
    button: { label: "See the alerts", link },
    after: [],
    reason: ASKED_FOR,
    unsubscribeLink,
  });
}

function describeAlert({ name, metric, value, threshold, isFiring, at }: AlertNews): string {
  const time = `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  if (!isFiring) return `${name}: resolved at ${time}.`;
  const now = value === null ? "has no data" : `is ${value}`;
  return `${name}: ${metric} ${now}, above ${threshold}, since ${time}.`;
}

/** Sent when questions wait for longer than a person wants. */
export function renderWaitingQuestions(email: Extract<Email, { kind: "waiting_questions" }>): RenderedEmail {
  const { workspace, name, questions, hasMore, link, unsubscribeLink } = email;
  const { length } = questions;
  const [first] = questions;
  return formatEmail({
    subject:
      length === 1 && first !== undefined
        ? `${shorten(first.by)} waits for an answer`
        : `${hasMore ? `More than ${length}` : length} questions wait for an answer`,
    name,
    before: [`In the workspace “${workspace}”, nobody has answered:`],
    list: questions.map(describeQuestion),
    button: { label: "Answer", link },
    after: hasMore ? ["There are more."] : [],
    reason: ASKED_FOR,
    unsubscribeLink,
  });
}

function describeQuestion({ by, text, waitingSeconds }: LateQuestion): string {
  return `${by}, for ${formatWait(waitingSeconds)}: ${text}`;
}

/** "12 minutes", "3 hours", "2 days". */
export function formatWait(seconds: number): string {
  const minutes = Math.max(1, Math.floor(seconds / 60));
  if (minutes < 120) return countOf(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? countOf(hours, "hour") : countOf(Math.floor(hours / 24), "day");
}

/** So that a subject has at most 78 characters. */
function shorten(text: string): string {
  const characters = Array.from(text);
  return characters.length <= 50 ? text : `${characters.slice(0, 49).join("")}…`;
}
