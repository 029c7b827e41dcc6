import { sql } from "../../db/sql.ts";
import type { McpServer } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import type { AppendContent } from "../kernel/events.ts";

/** Locks a server against other changes of it and of its tools. @throws {DomainError} not_found. */
export async function lockMcpServer({ run, db, ctx }: Transaction, id: string): Promise<McpServer> {
  const { workspaceId } = ctx;
  await run(LOCK, [workspaceId, id]);
  const server = await db.mcpServer.findUnique({ where: { workspaceId_id: { workspaceId, id } } });
  if (server === null) throw createNotFoundError("MCP server");
  return server;
}

const LOCK = sql`SELECT 1 FROM mcp_server WHERE workspace_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE`;

/** The event and audit event of a change. `changes` has no secrets. */
export function describeMcpServer(
  change: `mcp_server.${"created" | "updated" | "deleted" | "credential_changed"}`,
  { id, slug, generation }: Pick<McpServer, "id" | "slug" | "generation">,
  changes: Record<string, unknown> = {},
): Pick<AppendContent, "events"> & Required<Pick<AppendContent, "audit">> {
  return {
    events: [{ type: change, subjectType: "mcp_server", subjectId: id, data: { slug, generation } }],
    audit: [{ action: change, targetType: "mcp_server", targetId: id, changes: { slug, ...changes } }],
  };
}
