import { z } from "zod";
import { TABLES, selectList } from "../../db/columns.ts";
import type { McpTool } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { lockMcpServer } from "./change-mcp-servers.ts";

const review = z.object({
  id: uuid,
  /** Of the definition that was read, in hexadecimal. */
  hash: z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits"),
});

const shape = z.object({
  serverId: uuid,
  tools: z.array(review).min(1).max(LIMITS.mcpTools),
  verdict: z.enum(["approve", "block"]),
});

/**
 * Approves definitions of a server's tools, which agents can then call, or blocks the tools.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found; precondition_failed if the
 *   definition of one is another by now: then none is reviewed.
 */
export async function reviewMcpTools(ctx: Ctx, input: z.input<typeof shape>): Promise<McpTool[]> {
  requireSudo(ctx, "admin");
  const { serverId, tools, verdict } = parseInput(shape, input);
  const { workspaceId } = ctx;
  return ctx.transaction(async (tx) => {
    await lockMcpServer(tx, serverId);
    const ids = tools.map(({ id }) => id);
    const found = await tx.db.mcpTool.findMany({ where: { workspaceId, serverId, id: { in: ids } } });
    const before = new Map(found.map((tool) => [tool.id, tool]));
    for (const seen of tools) requireSame(before.get(seen.id), seen);
    const by = JSON.stringify(createActorRecord(ctx.actor));
    const reviewed = await tx.run(REVIEW, [workspaceId, ids, verdict === "approve", by, await tx.now()]);
    append(tx, mergeAppends(...reviewed.map((tool) => describe(before.get(tool.id), tool))));
    return reviewed;
  });
}

/** @throws {DomainError} not_found; precondition_failed. */
function requireSame(tool: McpTool | undefined, { hash }: z.output<typeof review>): void {
  if (tool === undefined) throw createNotFoundError("tool");
  if (Buffer.from(tool.hash).toString("hex") === hash) return;
  throw new DomainError("precondition_failed", `The tool ${tool.name} was changed. Read it again.`);
}

const REVIEW = sql<McpTool>`
UPDATE mcp_tool t SET status = (CASE WHEN $3::boolean THEN 'approved' ELSE 'blocked' END)::mcp_tool_status,
  approved_definition = CASE WHEN $3::boolean THEN t.definition ELSE t.approved_definition END,
  approved_hash = CASE WHEN $3::boolean THEN t.hash ELSE t.approved_hash END,
  reviewed_by = $4::jsonb, reviewed_at = $5::timestamptz, updated_at = $5::timestamptz, generation = t.generation + 1
WHERE t.workspace_id = $1::uuid AND t.id = ANY($2::uuid[])
RETURNING ${selectList("t", TABLES.mcpTool)}`;

function describe(
  before: McpTool | undefined,
  { id, name, serverId, status, generation, hash }: McpTool,
): AppendContent {
  const data = { server_id: serverId, name, status, generation };
  const changes = {
    server_id: serverId,
    name,
    status: { from: before?.status, to: status },
    hash: Buffer.from(hash).toString("hex"),
  };
  return {
    events: [{ type: "mcp_tool.reviewed", subjectType: "mcp_tool", subjectId: id, data }],
    totals: [{ collection: "mcp_tools", from: before?.status ?? null, to: status }],
    audit: [{ action: "mcp_tool.reviewed", targetType: "mcp_tool", targetId: id, changes }],
  };
}
