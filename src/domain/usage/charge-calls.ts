import type { UsageSignal } from "../../db/generated/enums.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { bookChanges } from "./book-changes.ts";
import { findOtherModels } from "./find-other-models.ts";
import { OUTDATED_CALLS, WRITE_CALLS, toCallColumns, toUsageCall } from "./call-statements.ts";
import { reportCharges } from "./report-charges.ts";
import type { CallChange, UsageCall } from "./usage-call.ts";

/** What one sender says by one signal. */
export type SessionCalls = {
  senderId: string;
  signal: UsageSignal;
  /** All sessions that its calls belong to, or belonged to. */
  sessionKeys: readonly string[];
  /**
   * Reads the calls that change, when their sessions are locked. Whether they are charged is decided afterwards: that
   * depends on their sessions.
   */
  revise: () => Promise<CallChange[]>;
};

/**
 * Charges the calls of one signal, each once: what differs from before is added to the buckets, in the hour in which
 * the call first came, and to the budgets. Of each session only the best signal is charged; when a better one comes, what the other has
 * charged is taken back.
 *
 * Every signal of calls goes through here. Locks are taken in this order: rows of traces by whoever has them, then
 * sessions, the names of models, calls, buckets, each in the order of their keys. Calls and buckets are written with the
 * commit: a transaction comes here once.
 */
export async function chargeCalls(
  tx: Transaction,
  { senderId, signal, sessionKeys, revise }: SessionCalls,
): Promise<CallChange[]> {
  const charged = await lockSessions(tx, { senderId, signal, sessionKeys });
  const outdated = await readOutdated(tx, { senderId, signal, sessionKeys: charged.taken });
  const revised = (await revise()).map(({ before, after }) => ({
    before,
    after: { ...after, charged: charged.signals.get(after.sessionKey) === signal },
  }));
  const changed = [...outdated, ...revised].filter(({ before, after }) => !isSame(before, after));
  if (changed.length > 0) {
    const changes = await findOtherModels(tx, changed);
    tx.runLast(WRITE_CALLS, [tx.ctx.workspaceId, ...toCallColumns(changes.map(({ after }) => after))]);
    bookChanges(tx, changes);
    reportCharges(tx, changes);
  }
  return revised;
}

type Sessions = Omit<SessionCalls, "revise">;

/** @returns each session's signal, and those that this one has taken over. */
async function lockSessions(
  { ctx, run }: Transaction,
  { senderId, signal, sessionKeys }: Sessions,
): Promise<{ signals: Map<string, UsageSignal>; taken: string[] }> {
  const key = [ctx.workspaceId, senderId];
  const sessions = await run(LOCK_SESSIONS, [...key, [...new Set(sessionKeys)], signal]);
  const taken = sessions.filter(({ isWorse }) => isWorse).map(({ sessionKey }) => sessionKey);
  if (taken.length > 0) await run(TAKE_SESSIONS, [...key, taken, signal]);
  return {
    taken,
    signals: new Map(sessions.map((one) => [one.sessionKey, one.isWorse ? signal : one.signal])),
  };
}

async function readOutdated(
  { ctx, run }: Transaction,
  { senderId, signal, sessionKeys }: Sessions,
): Promise<CallChange[]> {
  if (sessionKeys.length === 0) return [];
  const rows = await run(OUTDATED_CALLS, [ctx.workspaceId, senderId, sessionKeys, signal]);
  return rows.map((row) => {
    const before = toUsageCall(row);
    return { before, after: { ...before, charged: false } };
  });
}

/** What a signal doesn't say. */
const DECIDED_ONCE = new Set<keyof UsageCall>(["chargedAt", "isOtherModel"]);

/** Of a call that is sent again, nothing changes. */
function isSame(before: UsageCall | null, after: UsageCall): boolean {
  if (before === null) return false;
  // Object.keys() loses the names' types.
  const names = Object.keys(after) as (keyof UsageCall)[];
  return names.every((name) => DECIDED_ONCE.has(name) || before[name] === after[name]);
}

/** Creates missing sessions and locks all of them, in the order of their keys. */
const LOCK_SESSIONS = sql<{ sessionKey: string; signal: UsageSignal; isWorse: boolean }>`
INSERT INTO usage_session AS u (workspace_id, sender_id, session_key, signal, last_day)
SELECT $1::uuid, $2::uuid, g.session_key, $4::usage_signal, (${NOW} AT TIME ZONE 'UTC')::date
FROM unnest($3::text[]) g (session_key) ORDER BY g.session_key
ON CONFLICT (workspace_id, sender_id, session_key) DO UPDATE SET last_day = GREATEST(u.last_day, EXCLUDED.last_day)
RETURNING session_key AS "sessionKey", signal, signal < $4::usage_signal AS "isWorse"`;

const TAKE_SESSIONS = sql`
UPDATE usage_session SET signal = $4::usage_signal
WHERE workspace_id = $1::uuid AND sender_id = $2::uuid AND session_key = ANY($3::text[])`;
