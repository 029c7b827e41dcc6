import type { Prisma } from "../../src/db/generated/client.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { append } from "../../src/domain/kernel/events.ts";
import { insertTestExecution } from "./test-executions.ts";

/** Inserts a call of a tool that has started, with its execution. @returns their id. */
export async function insertTestMcpCall(
  ctx: Ctx,
  { agentId, ...fields }: Partial<Prisma.McpCallUncheckedCreateInput> & { agentId: string },
): Promise<string> {
  const id = await insertTestExecution(ctx, { agentId, resourceId: "shop.refund" });
  await ctx.transaction(async (tx) => {
    const { status } = await tx.db.mcpCall.create({
      data: {
        ...{ workspaceId: ctx.workspaceId, id, agentId, decisionId: crypto.randomUUID() },
        ...{ serverId: crypto.randomUUID(), serverSlug: "shop", tool: "refund", requestBytes: 2 },
        ...{ definitionHash: new Uint8Array(32), protocolVersion: "2026-07-28" },
        ...fields,
      },
    });
    append(tx, { events: [], totals: [{ collection: "mcp_calls", to: status }] });
  });
  return id;
}
