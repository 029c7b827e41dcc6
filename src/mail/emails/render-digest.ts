import type { Digest, Email } from "../../domain/emails/email.ts";
import { countOf } from "./count-of.ts";
import { formatEmail } from "./format-email.ts";
import { ASKED_FOR, formatWait } from "./render-notifications.ts";
import type { RenderedEmail } from "./rendered-email.ts";

/** Sent once a day or a week. */
export function renderDigest(email: Extract<Email, { kind: "digest" }>): RenderedEmail {
  const { workspace, name, digest, link, unsubscribeLink } = email;
  const [subject, time] = digest.frequency === "daily" ? ["Your day", "24 hours"] : ["Your week", "7 days"];
  return formatEmail({
    subject: `${subject} in Agent Ops`,
    name,
    before: [`The last ${time} in the workspace “${workspace}”:`],
    list: [...describeWork(digest), ...describeWaiting(digest), ...describeRest(digest)],
    button: { label: "Open the dashboard", link },
    after: [],
    reason: ASKED_FOR,
    unsubscribeLink,
  });
}

function describeWork({ tasks, missions }: Digest): string[] {
  const ended = `${countOf(tasks.completed, "task")} completed, ${count(tasks.failed)} failed, ${count(tasks.canceled)} canceled`;
  return [
    `${ended}; ${count(tasks.waiting)} in queues now.`,
    ...(missions.completed + missions.failed > 0
      ? [`${countOf(missions.completed, "mission")} completed, ${count(missions.failed)} failed.`]
      : []),
  ];
}

function describeWaiting({ questions: { waiting, oldestSeconds }, approvalsWaiting }: Digest): string[] {
  const oldest = `the oldest for ${formatWait(oldestSeconds)}`;
  return [
    ...(waiting > 0 ? [`${countOf(waiting, "question")} without an answer, ${oldest}.`] : []),
    ...(approvalsWaiting > 0 ? [`${countOf(approvalsWaiting, "approval")} to decide.`] : []),
  ];
}

function describeRest({ agents: { online, known }, alertsFiring, costUsd }: Digest): string[] {
  return [
    ...(alertsFiring > 0 ? [`${countOf(alertsFiring, "alert")} firing.`] : []),
    ...(known > 0 ? [`${count(online)} of ${countOf(known, "agent")} online.`] : []),
    ...(costUsd > 0
      ? [`Cost: ${costUsd.toLocaleString("en", { style: "currency", currency: "USD" })}.`]
      : []),
  ];
}

function count(number: number): string {
  return number.toLocaleString("en");
}
