import { NOW, sql } from "../../db/sql.ts";
import { mayNotify } from "../../domain/emails/limit-notifications.ts";
import { IS_REACHED } from "../../domain/notifications/recipients.ts";
import { type FairTurns, type Work, createFairTurns } from "../../domain/sweeps/fair-turns.ts";
import { MAY_USE_PASSWORD } from "../oidc/password-use.ts";
import { AT_ONCE, BACKOFF, LEASE, sendInTime } from "./attempt.ts";
import { composeEmail, isNotification } from "./compose-email.ts";
import type { ComposedEmail } from "./composed-email.ts";
import type { HeldEmail } from "./held-email.ts";
import type { EmailServices } from "./email-services.ts";

const LIFE = "interval '24 hours'";
/** The most emails of one workspace that one node sends at a time: others must not wait for slow ones. */
const AT_ONCE_EACH = 4;

type Due = { workspaceId: string; count: number };

/**
 * Sends the emails that are due in the outbox: workspaces take turns, and each sends its most urgent ones
 * first. Each attempt mints a new link. Failed emails are retried for 24 hours. Any number of nodes may run
 * this at once. If a node fails while sending, another retries, so an email may be sent twice.
 *
 * @param turns shared by all runs of a process. Default: waits for all emails.
 * @returns the number of emails sent so far.
 * @throws {AggregateError} all errors of the database.
 */
export async function deliverEmails(
  services: EmailServices,
  turns: FairTurns = createFairTurns({ workers: AT_ONCE }),
): Promise<number> {
  let sent = 0;
  async function sendNext(workspaceId: string): Promise<boolean> {
    if (services.stopping?.aborted === true) return false;
    const [held] = await services.database.run(HOLD, [workspaceId, services.now]);
    if (held === undefined) return false;
    if (isNotification(held) && !(await mayNotify(services, workspaceId))) {
      await putOff(services, held);
      return false;
    }
    if (await deliver(services, held)) sent++;
    return true;
  }
  const due = await services.database.run(DUE, [services.now]);
  const failures = await turns.take(toWorks(due, sendNext));
  if (failures.length > 0) throw new AggregateError(failures, "some emails could not be handled");
  return sent;
}

/** Every workspace's first email comes before any workspace's second. */
function toWorks(due: readonly Due[], sendNext: (workspaceId: string) => Promise<boolean>): Work[] {
  return Array.from({ length: AT_ONCE_EACH }, (_, place) =>
    due
      .filter(({ count }) => count > place)
      .map(({ workspaceId }) => ({
        name: "emails",
        lane: `${workspaceId} ${place}`,
        run: () => sendNext(workspaceId),
      })),
  ).flat();
}

/**
 * Selects due emails of a workspace, the most urgent first. Looks for the kinds one after the other, in their
 * order, which is that of their urgency: otherwise all emails that wait for another attempt would be read.
 */
function buildDueSql({ workspaceId, most, lock = "" }: { workspaceId: string; most: number; lock?: string }) {
  return `SELECT next.workspace_id, next.id FROM unnest(enum_range(NULL::email_kind)) kinds(kind)
  CROSS JOIN LATERAL (
    SELECT d.workspace_id, d.id FROM mail_outbox d
    WHERE d.workspace_id = ${workspaceId} AND d.kind = kinds.kind
      AND d.next_attempt_at <= ${NOW}::timestamptz(3) AND d.created_at > ${NOW}::timestamptz(3) - ${LIFE}
    ORDER BY d.next_attempt_at LIMIT ${most} ${lock}
  ) next
  LIMIT ${most}`;
}

/** Goes from workspace to workspace, so that it takes as long for one email of a workspace as for thousands. */
const DUE = sql<Due>`
WITH RECURSIVE every AS (
  (SELECT workspace_id FROM mail_outbox ORDER BY workspace_id LIMIT 1)
  UNION ALL
  SELECT (SELECT o.workspace_id FROM mail_outbox o WHERE o.workspace_id > e.workspace_id ORDER BY 1 LIMIT 1)
  FROM every e WHERE e.workspace_id IS NOT NULL
)
SELECT e.workspace_id AS "workspaceId", due.count
FROM every e CROSS JOIN LATERAL (
  SELECT count(*)::int AS count FROM (${buildDueSql({ workspaceId: "e.workspace_id", most: AT_ONCE_EACH })}) few
) due
WHERE due.count > 0`;

const HOLD = sql<HeldEmail>`
WITH due AS MATERIALIZED (
  ${buildDueSql({ workspaceId: "$1::uuid", most: 1, lock: "FOR UPDATE OF d SKIP LOCKED" })}
)
UPDATE mail_outbox o SET attempts = o.attempts + 1, next_attempt_at = ${NOW}::timestamptz(3) + ${LEASE}
FROM due, "user" u, workspace w
WHERE o.workspace_id = due.workspace_id AND o.id = due.id
  AND u.workspace_id = o.workspace_id AND u.id = o.user_id AND w.id = o.workspace_id
RETURNING o.workspace_id AS "workspaceId", o.id, o.user_id AS "userId", o.kind::text, o.sent_to AS "sentTo", o.data,
  o.auth_epoch AS "authEpoch", o.attempts, o.created_at AS "createdAt", u.name, w.name AS "workspaceName",
  CASE WHEN ${IS_REACHED} AND w.suspended_at IS NULL THEN u.email END AS "reachedAt",
  ${MAY_USE_PASSWORD} AS "mayUsePassword"`;

async function deliver(services: EmailServices, held: HeldEmail): Promise<boolean> {
  const composed = await composeEmail(services, held);
  if (composed === null) {
    await forget(services, held);
    return false;
  }
  if (await trySend(services, held, composed)) {
    await forget(services, held);
    return true;
  }
  await composed.discard();
  await putOff(services, held);
  return false;
}

async function trySend(
  { mailer, log, measures }: EmailServices,
  { kind, id, attempts }: HeldEmail,
  { to, email }: ComposedEmail,
): Promise<boolean> {
  try {
    await sendInTime(mailer.send(to, email));
    measures.emailed(kind, "sent");
    return true;
  } catch (error) {
    measures.emailed(kind, "failed");
    log.warn({ err: error, emailId: id, kind, attempts }, "an email could not be sent and will be retried");
    return false;
  }
}

/** Only the attempt that holds an email may delete it: after its lease, another may hold it. */
async function forget({ database }: EmailServices, { workspaceId, id, attempts }: HeldEmail): Promise<void> {
  await database.run(DELETE, [workspaceId, id, attempts]);
}

const DELETE = sql`DELETE FROM mail_outbox WHERE workspace_id = $1::uuid AND id = $2::uuid AND attempts = $3`;

async function putOff({ database, now }: EmailServices, held: HeldEmail): Promise<void> {
  await database.run(UPDATE, [held.workspaceId, held.id, held.attempts, now]);
}

const UPDATE = sql`
UPDATE mail_outbox SET next_attempt_at = ${NOW} + ${BACKOFF}
WHERE workspace_id = $1::uuid AND id = $2::uuid AND attempts = $3`;
