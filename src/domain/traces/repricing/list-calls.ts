import type { UsageSignal } from "../../../db/generated/enums.ts";
import { sql } from "../../../db/sql.ts";
import type { Ctx } from "../../kernel/context.ts";
import { readCursorText, writeCursorText } from "../../kernel/cursor-text.ts";
import { createFieldError } from "../../kernel/errors.ts";

export type CallName = {
  chargedAt: Date;
  traceId: string;
  callKey: string;
  signal: UsageSignal;
  senderId: string;
};

type Range = { from: Date; to: Date; after: string | null; limit: number };

/**
 * Lists calls that first came in a time, in that order.
 *
 * @throws {DomainError} validation_failed for what is no cursor.
 */
export async function listCalls(
  ctx: Ctx,
  { from, to, after, limit }: Range,
): Promise<{ calls: CallName[]; endCursor: string | null }> {
  const start = after === null ? [from, NO_TRACE, "", "metric"] : parseCursor(after);
  const found = await ctx.read(CALLS, [ctx.workspaceId, from, to, ...start, limit + 1]);
  const calls = found.slice(0, limit);
  const last = calls.at(-1);
  return { calls, endCursor: found.length > limit && last !== undefined ? writeCursor(last) : null };
}

/** Before all others. */
const NO_TRACE = "00000000-0000-0000-0000-000000000000";
const POSITION = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f-]{1,36})\.([a-z_]+)$/;
const SIGNALS: ReadonlySet<string> = new Set<UsageSignal>(["metric", "log", "span", "agent_log"]);

function writeCursor({ chargedAt, traceId, callKey, signal }: CallName): string {
  return writeCursorText([chargedAt.getTime(), traceId, callKey, signal].join("."));
}

function parseCursor(cursor: string): unknown[] {
  const [, milliseconds, traceId, callKey, signal = ""] = POSITION.exec(readCursorText(cursor) ?? "") ?? [];
  if (!SIGNALS.has(signal)) throw createFieldError("after", "is not a cursor of this list");
  return [new Date(Number(milliseconds)), traceId, callKey, signal];
}

const CALLS = sql<CallName>`
SELECT charged_at AS "chargedAt", trace_id AS "traceId", call_key AS "callKey", signal, sender_id AS "senderId"
FROM usage_call
WHERE workspace_id = $1::uuid AND charged_at >= $2::timestamptz AND charged_at < $3::timestamptz
  AND charged_at >= $4::timestamptz
  AND (charged_at, trace_id, call_key, signal) > ($4::timestamptz, $5::uuid, $6::text, $7::usage_signal)
ORDER BY charged_at, trace_id, call_key, signal LIMIT $8::int`;
