import { NOW, sql } from "../../db/sql.ts";
import { type Ctx, openCtx, systemCaller } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import type { Email } from "../../domain/emails/email.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { type FairTurns, createFairTurns } from "../../domain/sweeps/fair-turns.ts";
import { MAY_USE_PASSWORD } from "../oidc/password-use.ts";
import { AT_ONCE, BACKOFF, LEASE, sendInTime } from "./attempt.ts";
import type { EmailServices } from "./email-services.ts";
import { type MintedLink, dropLink, mintLink } from "./mint-link.ts";

/** A request for password reset emails that this node has leased. */
type HeldRequest = { id: string; email: string; servedUserIds: string[]; attempts: number };
type Account = { workspaceId: string; userId: string };

const LIFE = "interval '60 minutes'";
/** The most accounts of one address that get an email. More than log-in tries for an address. */
const ACCOUNTS = 10;

/**
 * Handles due requests for password reset emails: each active account of the address gets an email with a
 * link of its own, sent to the address as stored. Failed ones are retried for 60 minutes with a new link
 * each time. Any number of nodes may run this at once; if one fails, another takes over.
 *
 * @param turns shared by all runs of a process. Default: waits for all emails.
 * @returns the number of emails sent so far.
 * @throws {AggregateError} all errors of the database.
 */
export async function deliverResetEmails(
  services: EmailServices,
  turns: FairTurns = createFairTurns({ workers: AT_ONCE }),
): Promise<number> {
  let sent = 0;
  async function answerNext(): Promise<boolean> {
    if (services.stopping?.aborted === true) return false;
    const [held] = await services.database.run(HOLD, [services.now]);
    if (held === undefined) return false;
    const count = await answer(services, held);
    sent += count;
    return true;
  }
  const due = await services.database.run(DUE, [services.now]);
  const works = due.map((_, place) => ({ name: "reset emails", lane: `${place}`, run: answerNext }));
  const failures = await turns.take(works);
  if (failures.length > 0) throw new AggregateError(failures, "some reset requests could not be handled");
  return sent;
}

const NEXT = `FROM (SELECT ${NOW}::timestamptz(3) AS at) c, reset_request d
  WHERE d.next_attempt_at <= c.at AND d.created_at > c.at - ${LIFE}
  ORDER BY d.next_attempt_at`;

const DUE = sql`SELECT d.id ${NEXT} LIMIT ${AT_ONCE}`;

const HOLD = sql<HeldRequest>`
WITH due AS MATERIALIZED (SELECT d.id, c.at ${NEXT} LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
UPDATE reset_request r SET attempts = r.attempts + 1, next_attempt_at = due.at + ${LEASE}
FROM due
WHERE r.id = due.id
RETURNING r.id, r.email, r.served_user_ids AS "servedUserIds", r.attempts`;

async function answer(services: EmailServices, held: HeldRequest): Promise<number> {
  const accounts = await services.database.run(ACCOUNTS_OF, [held.email]);
  const open = accounts.filter(({ userId }) => !held.servedUserIds.includes(userId));
  let sent = 0;
  let failed = 0;
  for (const account of open) {
    const outcome = await serve(services, held, account);
    if (outcome === "sent") sent++;
    if (outcome === "failed") failed++;
  }
  if (failed === 0) await forget(services, held);
  else await putOff(services, held);
  return sent;
}

/** An address that is used in many workspaces must not displace the accounts that are in use. */
const ACCOUNTS_OF = sql<Account>`
SELECT u.workspace_id AS "workspaceId", u.id AS "userId"
FROM "user" u JOIN workspace w ON w.id = u.workspace_id
WHERE lower(u.email) = $1 AND u.suspended_at IS NULL AND u.deleted_at IS NULL AND w.suspended_at IS NULL
  AND ${MAY_USE_PASSWORD}
ORDER BY u.hashed_password IS NULL, u.confirmed_at IS NULL, u.created_at, u.id LIMIT ${ACCOUNTS}`;

async function serve(
  services: EmailServices,
  held: HeldRequest,
  { workspaceId, userId }: Account,
): Promise<"sent" | "failed" | "gone"> {
  const ctx = openCtx(services, systemCaller(workspaceId, "email delivery"), services.now);
  const link = await mintLink(ctx, {
    userId,
    context: "reset_password",
    sentTo: null,
    isDue: async (_tx, { lowerEmail }) => lowerEmail === held.email,
  });
  if (link === null) return "gone";
  try {
    await sendInTime(services.mailer.send(link.sentTo, createResetEmail(services, link)));
  } catch (error) {
    services.measures.emailed("reset_password", "failed");
    const { id, attempts } = held;
    services.log.warn(
      { err: error, request: id, attempts },
      "a reset email could not be sent and will be retried",
    );
    await dropLink(ctx, link);
    return "failed";
  }
  services.measures.emailed("reset_password", "sent");
  await noteServed(ctx, held, userId);
  return "sent";
}

function createResetEmail(services: EmailServices, { path, recipient }: MintedLink): Email {
  const { name, workspaceName: workspace } = recipient;
  const link = services.baseUrl() + path;
  return { kind: "reset_password", workspace, name, link, minutes: LIMITS.resetLinkMinutes };
}

/** Records the account, so that it gets no second email if another account's fails. */
async function noteServed(ctx: Ctx, { id }: HeldRequest, userId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await tx.run(UPDATE, [id, userId]);
    append(tx, {
      events: [],
      audit: [{ action: "user.reset_link_sent", targetType: "user", targetId: userId }],
    });
  });
}

const UPDATE = sql`UPDATE reset_request SET served_user_ids = array_append(served_user_ids, $2::uuid) WHERE id = $1::uuid`;

/** Only the attempt that holds a request may delete it: after its lease, another may hold it. */
async function forget({ database }: EmailServices, { id, attempts }: HeldRequest): Promise<void> {
  await database.run(DELETE, [id, attempts]);
}

const DELETE = sql`DELETE FROM reset_request WHERE id = $1::uuid AND attempts = $2`;

async function putOff({ database, now }: EmailServices, { id, attempts }: HeldRequest): Promise<void> {
  await database.run(UPDATE_RESET_REQUEST, [id, attempts, now]);
}

const UPDATE_RESET_REQUEST = sql`
UPDATE reset_request SET next_attempt_at = ${NOW} + ${BACKOFF}
WHERE id = $1::uuid AND attempts = $2`;
