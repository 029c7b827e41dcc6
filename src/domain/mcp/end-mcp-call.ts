import { TABLES, selectList } from "../../db/columns.ts";
import type { Execution, Prisma } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import { buildExecutionAppend } from "../executions/execution-event.ts";
import { type Ctx, openCtx, systemCaller } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";

/** How a call ended. */
export type McpCallEnd = (
  | { status: "completed" }
  | { status: "failed" | "unknown"; error: Prisma.InputJsonObject; effect: "none" | "partial" | "unknown" }
) & {
  /** What the proxy has seen of it. */
  seen?: { isError: boolean | null; answerBytes: number; durationMs: number };
};

/**
 * Stores how a call ended. What its execution was taken for meanwhile stays so. The agent's credential may be revoked
 * by now.
 */
export async function endMcpCall(ctx: Ctx, id: string, end: McpCallEnd): Promise<void> {
  const system = openCtx(ctx.services, systemCaller(ctx.workspaceId, "mcp proxy"), ctx.now);
  const { status } = end;
  const [error, effect] = status === "completed" ? [null, null] : [JSON.stringify(end.error), end.effect];
  const { isError = null, answerBytes = null, durationMs = null } = end.seen ?? {};
  const seen = [isError, answerBytes, durationMs === null ? null : Math.round(durationMs)];
  await system.transaction(async (tx) => {
    const [ended] = await tx.run(END, [ctx.workspaceId, id, status, error, effect, ...seen]);
    if (ended === undefined) return;
    const { $isCall: isCall, ...execution } = ended;
    const type = status === "unknown" ? "execution.unknown" : "execution.finished";
    const appended = buildExecutionAppend(execution, { type, from: "started" });
    if (isCall) appended.totals.push({ collection: "mcp_calls", from: "started", to: status });
    append(tx, appended);
  });
}

/** The execution first, as whoever moves it does. */
const END = sql<Execution & { $isCall: boolean }>`
WITH ended AS (
  UPDATE execution SET status = $3::execution_status, error = $4::jsonb, effect = $5::execution_effect,
    ended_at = date_trunc('milliseconds', ${NOW}), updated_at = date_trunc('milliseconds', ${NOW}),
    generation = generation + 1
  WHERE workspace_id = $1::uuid AND id = $2::uuid AND status = 'started' RETURNING *
), noted AS (
  UPDATE mcp_call c SET is_error = $6::boolean, answer_bytes = $7::int, duration_ms = $8::int,
    status = COALESCE(e.status, c.status), ended_at = COALESCE(e.ended_at, c.ended_at),
    updated_at = COALESCE(e.updated_at, c.updated_at), generation = c.generation + (e.id IS NOT NULL)::int
  FROM (SELECT 1) one LEFT JOIN ended e ON true
  WHERE c.workspace_id = $1::uuid AND c.id = $2::uuid RETURNING c.id
)
SELECT ${selectList("e", TABLES.execution)}, EXISTS (SELECT FROM noted) AS "$isCall" FROM ended e`;
