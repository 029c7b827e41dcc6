import { TABLES, selectList } from "../../db/columns.ts";
import type { Execution, Prisma } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import { buildExecutionAppend } from "../executions/execution-event.ts";
import type { Transaction } from "../kernel/context.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";

/** How a call ended. */
export type McpCallEnd = (
  | { status: "completed" }
  | { status: "failed" | "unknown"; error: Prisma.InputJsonObject; effect: "none" | "partial" | "unknown" }
) & {
  /** What the proxy has seen of it. */
  seen?: { isError: boolean | null; answerBytes: number; durationMs: number };
};

/** A call, and how it ended. */
export type EndedCall = { id: string; end: McpCallEnd };

/**
 * Stores in a transaction how calls ended.
 *
 * @returns whether each was stored: not if its execution has ended; with {@link END_TOGETHER} also if another
 *   transaction holds it.
 */
export async function endMcpCallsIn(
  tx: Transaction,
  calls: readonly EndedCall[],
  statement: typeof END_ALONE,
): Promise<boolean[]> {
  if (calls.length === 0) return [];
  const rows = await tx.run(statement, [tx.ctx.workspaceId, JSON.stringify(calls.map(toColumns))]);
  if (rows.length > 0) append(tx, mergeAppends(...rows.map(describeEnd)));
  const stored = new Set(rows.map(({ id }) => id));
  return calls.map(({ id }) => stored.has(id));
}

function toColumns({ id, end }: EndedCall): object {
  const [error, effect] = end.status === "completed" ? [null, null] : [end.error, end.effect];
  const { isError = null, answerBytes = null, durationMs = null } = end.seen ?? {};
  const rounded = durationMs === null ? null : Math.round(durationMs);
  return { id, status: end.status, error, effect, isError, answerBytes, durationMs: rounded };
}

function describeEnd({ $isCall: isCall, ...execution }: Execution & { $isCall: boolean }): AppendContent {
  const { status } = execution;
  const type = status === "unknown" ? "execution.unknown" : "execution.finished";
  const appended = buildExecutionAppend(execution, { type, from: "started" });
  if (isCall) appended.totals.push({ collection: "mcp_calls", from: "started", to: status });
  return appended;
}

const GIVEN = `SELECT * FROM jsonb_to_recordset($2::jsonb) AS g(id uuid, status text, error jsonb, effect text,
  "isError" boolean, "answerBytes" int, "durationMs" int)`;

/** The executions first, as whoever moves them does. */
const ENDED = `UPDATE execution x SET status = g.status::execution_status, error = g.error,
  effect = g.effect::execution_effect, ended_at = date_trunc('milliseconds', ${NOW}),
  updated_at = date_trunc('milliseconds', ${NOW}), generation = x.generation + 1`;

const NOTED = `UPDATE mcp_call c SET is_error = g."isError", answer_bytes = g."answerBytes", duration_ms = g."durationMs",
  status = COALESCE(e.status, c.status), ended_at = COALESCE(e.ended_at, c.ended_at),
  updated_at = COALESCE(e.updated_at, c.updated_at), generation = c.generation + (e.id IS NOT NULL)::int`;

/** Waits for the execution. What was seen is also noted if it has ended. */
export const END_ALONE = sql<Execution & { $isCall: boolean }>`
WITH given AS MATERIALIZED (${GIVEN}), ended AS (
  ${ENDED} FROM given g WHERE x.workspace_id = $1::uuid AND x.id = g.id AND x.status = 'started' RETURNING x.*
), noted AS (
  ${NOTED} FROM given g LEFT JOIN ended e ON e.id = g.id WHERE c.workspace_id = $1::uuid AND c.id = g.id RETURNING c.id
)
SELECT ${selectList("e", TABLES.execution)}, e.id IN (SELECT id FROM noted) AS "$isCall" FROM ended e`;

/** Leaves out those that others hold, so that nobody waits for them. */
export const END_TOGETHER = sql<Execution & { $isCall: boolean }>`
WITH given AS MATERIALIZED (${GIVEN}), held AS MATERIALIZED (
  SELECT x.id FROM execution x
  WHERE x.workspace_id = $1::uuid AND x.id = ANY(ARRAY(SELECT id FROM given)) AND x.status = 'started'
  ORDER BY x.id FOR UPDATE SKIP LOCKED
), ended AS (
  ${ENDED} FROM held h JOIN given g ON g.id = h.id WHERE x.workspace_id = $1::uuid AND x.id = h.id RETURNING x.*
), noted AS (
  ${NOTED} FROM given g JOIN ended e ON e.id = g.id WHERE c.workspace_id = $1::uuid AND c.id = g.id RETURNING c.id
)
SELECT ${selectList("e", TABLES.execution)}, e.id IN (SELECT id FROM noted) AS "$isCall" FROM ended e ORDER BY e.id`;
