import { type Ctx, openCtx, systemCaller } from "../kernel/context.ts";
import { END_ALONE, type McpCallEnd, endMcpCallsIn } from "./end-mcp-calls-in.ts";
import { storeEndTogether } from "./store-mcp-calls.ts";

/**
 * Stores how a call ended. What its execution was taken for meanwhile stays so. The agent's credential may be revoked
 * by now.
 *
 * @throws {DomainError} unavailable if too many of the workspace wait, or the process stops.
 */
export async function endMcpCall(ctx: Ctx, id: string, end: McpCallEnd): Promise<void> {
  const call = { id, end };
  const isStored = await storeEndTogether(ctx, call);
  if (isStored) return;
  const system = openCtx(ctx.services, systemCaller(ctx.workspaceId, "mcp proxy"), ctx.now);
  await system.transaction((tx) => endMcpCallsIn(tx, [call], END_ALONE));
}
