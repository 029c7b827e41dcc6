import type { Execution, McpServer } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import type { PinnedTool } from "./find-callable-tool.ts";

/** The tool that is called, and how. */
export type CalledTool = {
  server: Pick<McpServer, "id">;
  tool: Pick<PinnedTool, "name" | "hash">;
  protocolVersion: string;
  requestBytes: number;
};

/**
 * Inserts the call of a new execution.
 *
 * @throws {DomainError} forbidden if its tool is not approved any more as it was decided about.
 */
export async function insertMcpCall(
  tx: Transaction,
  { server, tool, protocolVersion, requestBytes }: CalledTool,
  { id, agentId, decisionId, approvalId, traceId, createdAt, status }: Execution,
): Promise<void> {
  const called = [tx.ctx.workspaceId, id, server.id, tool.name, tool.hash];
  const made = [agentId, decisionId, approvalId, traceId, protocolVersion, requestBytes, createdAt];
  const inserted = await tx.run(INSERT, [...called, ...made]);
  if (inserted.length === 0) {
    const message = "The tool was changed, or is not approved any more. List the tools again.";
    throw new DomainError("forbidden", message);
  }
  append(tx, { events: [], totals: [{ collection: "mcp_calls", to: status }] });
}

/** The columns of a new call. */
export const MCP_CALL_COLUMNS = `workspace_id, id, server_id, server_slug, tool, definition_hash, agent_id, decision_id,
  approval_id, trace_id, protocol_version, request_bytes, created_at, updated_at`;

/** Joins the server `s` and its tool `t` in the workspace `$1`, if the tool is approved with this hash, in hex. */
export function joinApprovedToolSql(serverId: string, name: string, hash: string): string {
  return `JOIN mcp_server s ON s.workspace_id = $1::uuid AND s.id = ${serverId} AND s.enabled
  JOIN mcp_tool t ON t.workspace_id = s.workspace_id AND t.server_id = s.id AND t.name = ${name}
    AND t.status = 'approved' AND t.approved_hash = decode(${hash}, 'hex')`;
}

const INSERT = sql`
INSERT INTO mcp_call (${MCP_CALL_COLUMNS})
SELECT s.workspace_id, $2::uuid, s.id, s.slug, t.name, t.approved_hash, $6::uuid, $7::uuid, $8::uuid, $9, $10, $11::int,
  $12::timestamptz, $12::timestamptz
FROM (SELECT) AS one ${joinApprovedToolSql("$3::uuid", "$4", "$5")}
RETURNING 1`;
