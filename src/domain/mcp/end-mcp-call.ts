import type { Prisma } from "../../db/generated/client.ts";
import { lockExecution } from "../executions/lock-execution.ts";
import { moveExecution } from "../executions/move-execution.ts";
import { sql } from "../../db/sql.ts";
import { type Ctx, type Transaction, openCtx, systemCaller } from "../kernel/context.ts";
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
export async function endMcpCall(ctx: Ctx, id: string, { seen, ...end }: McpCallEnd): Promise<void> {
  const system = openCtx(ctx.services, systemCaller(ctx.workspaceId, "mcp proxy"), ctx.now);
  await system.transaction(async (tx) => {
    const locked = await lockExecution(tx, id);
    if (seen !== undefined) await note(tx, id, seen);
    if (locked.execution.status !== "started") return;
    const type = end.status === "unknown" ? "execution.unknown" : "execution.finished";
    const { appended } = await moveExecution(tx, locked, { data: { ...end, endedAt: locked.now }, type });
    append(tx, appended);
  });
}

async function note(
  { run, ctx }: Transaction,
  id: string,
  { isError, answerBytes, durationMs }: NonNullable<McpCallEnd["seen"]>,
): Promise<void> {
  await run(NOTE, [ctx.workspaceId, id, isError, answerBytes, Math.round(durationMs)]);
}

const NOTE = sql`
UPDATE mcp_call SET is_error = $3::boolean, answer_bytes = $4::int, duration_ms = $5::int
WHERE workspace_id = $1::uuid AND id = $2::uuid`;
