import { sql } from "../../../db/sql.ts";
import type { Ctx, Transaction } from "../../kernel/context.ts";
import { append } from "../../kernel/events.ts";
import { formatPico } from "../../prices/pico-dollars.ts";
import { addToTraces } from "../../usage/add-to-traces.ts";
import { READ_CALLS, toUsageCall } from "../../usage/call-statements.ts";
import { chargeCalls } from "../../usage/charge-calls.ts";
import { type CallChange, type UsageCall, toCallName } from "../../usage/usage-call.ts";
import { CORRECT_COSTS } from "../span-statements.ts";
import type { NewCost } from "./find-new-costs.ts";

/**
 * Charges calls of one sender and signal their new costs, but for those that came again meanwhile.
 *
 * @returns what changed.
 */
export async function applyCosts(
  ctx: Ctx,
  found: readonly NewCost[],
  range: { from: Date; to: Date },
): Promise<CallChange[]> {
  const [first] = found;
  if (first === undefined) return [];
  const { senderId, signal } = first.before;
  return ctx.transaction(async (tx) => {
    const traces = await tx.run(LOCK, [ctx.workspaceId, found.map(({ before }) => before.traceId)]);
    const changes = await chargeCalls(tx, {
      senderId,
      signal,
      sessionKeys: found.map(({ before }) => before.sessionKey),
      revise: () => reviseCosts(tx, found, { senderId, signal }),
    });
    if (signal === "span") {
      addToTraces(tx, changes, []);
      await writeSpans(tx, changes, { found, days: new Map(traces.map(({ id, day }) => [id, day])) });
    }
    if (changes.length === 0) return [];
    const changed = { from: range.from.toISOString(), to: range.to.toISOString(), calls: changes.length };
    append(tx, {
      events: [],
      audit: [
        { action: "usage.repriced", targetType: "workspace", targetId: ctx.workspaceId, changes: changed },
      ],
    });
    return changes;
  });
}

async function reviseCosts(
  tx: Transaction,
  found: readonly NewCost[],
  { senderId, signal }: Pick<UsageCall, "senderId" | "signal">,
): Promise<CallChange[]> {
  const rows = await tx.run(READ_CALLS, [
    ...[tx.ctx.workspaceId, senderId, signal],
    ...[found.map(({ before }) => before.traceId), found.map(({ before }) => before.callKey), []],
  ]);
  const stored = new Map(rows.map((row) => [toCallName(row), toUsageCall(row)]));
  return found.flatMap(({ before: read, after: { costPico, costSource } }) => {
    const before = stored.get(toCallName(read));
    const isSame =
      before !== undefined &&
      before.costPico === read.costPico &&
      before.inputTokens === read.inputTokens &&
      before.outputTokens === read.outputTokens;
    return isSame ? [{ before, after: { ...before, costPico, costSource } }] : [];
  });
}

/** Writes the costs of spans too, which traces show. */
async function writeSpans(
  { ctx, run }: Transaction,
  changes: readonly CallChange[],
  { found, days }: { found: readonly NewCost[]; days: ReadonlyMap<string, string> },
): Promise<void> {
  const prices = new Map(found.map(({ before, priceId }) => [toCallName(before), priceId]));
  const calls = changes.map(({ after }) => after);
  for (const day of new Set(days.values())) {
    const ofDay = calls.filter(({ traceId }) => days.get(traceId) === day);
    await run(CORRECT_COSTS, [
      ...[ctx.workspaceId, day],
      ...[ofDay.map(({ traceId }) => traceId), ofDay.map(({ callKey }) => callKey)],
      ofDay.map(({ costPico }) => (costPico === null ? null : formatPico(costPico))),
      ...[
        ofDay.map(({ costSource }) => costSource),
        ofDay.map((call) => prices.get(toCallName(call)) ?? null),
      ],
    ]);
  }
}

/** Locks traces in the order of their ids, as those do who store spans. */
const LOCK = sql<{ id: string; day: string }>`
SELECT id, day::text FROM trace WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[]) ORDER BY id FOR UPDATE`;
