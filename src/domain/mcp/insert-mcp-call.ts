import { TABLES, selectList } from "../../db/columns.ts";
import type { Execution, McpCall, McpServer } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import type { PinnedTool } from "./find-callable-tool.ts";

type Called = {
  server: Pick<McpServer, "id">;
  tool: Pick<PinnedTool, "name" | "hash">;
  protocolVersion: string;
  requestBytes: number;
};

/**
 * Inserts the call of an execution that has started, if its tool is approved as it was decided about.
 *
 * @returns null if it is not any more, or if the execution has its call already.
 */
export async function insertMcpCall(
  { run, ctx }: Transaction,
  { server, tool, protocolVersion, requestBytes }: Called,
  { id, agentId, decisionId, approvalId, traceId, createdAt }: Execution,
): Promise<McpCall | null> {
  const called = [ctx.workspaceId, id, server.id, tool.name, tool.hash];
  const made = [agentId, decisionId, approvalId, traceId, protocolVersion, requestBytes, createdAt];
  const [call] = await run(INSERT, [...called, ...made]);
  return call ?? null;
}

const INSERT = sql<McpCall>`
INSERT INTO mcp_call AS c (workspace_id, id, server_id, server_slug, tool, definition_hash, agent_id, decision_id,
  approval_id, trace_id, protocol_version, request_bytes, created_at, updated_at)
SELECT s.workspace_id, $2::uuid, s.id, s.slug, t.name, t.approved_hash, $6::uuid, $7::uuid, $8::uuid, $9, $10, $11::int,
  $12::timestamptz, $12::timestamptz
FROM mcp_server s JOIN mcp_tool t ON t.workspace_id = s.workspace_id AND t.server_id = s.id
WHERE s.workspace_id = $1::uuid AND s.id = $3::uuid AND s.enabled AND t.name = $4 AND t.status = 'approved'
  AND t.approved_hash = decode($5, 'hex')
ON CONFLICT DO NOTHING RETURNING ${selectList("c", TABLES.mcpCall)}`;
