import { v7 as uuidv7 } from "uuid";
import { sql } from "../../db/sql.ts";
import type { McpServer, McpTool } from "../../db/generated/client.ts";
import type { McpToolStatus } from "../../db/generated/enums.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { type Steps, createTurns } from "../kernel/turns.ts";
import { lockMcpServer } from "./change-mcp-servers.ts";
import { healthChange } from "./note-mcp-server-health.ts";
import { type ToolDefinition, hashDefinition, writeDefinition } from "./tool-definition.ts";

/** What a server says of its tools. */
export type ToolListing = { serverId: string; protocolVersion: string; tools: readonly ToolDefinition[] };

/** `json` is the whole definition. */
type HashedTool = { name: string; json: string; hash: Uint8Array<ArrayBuffer> };

type Known = Pick<McpTool, "id" | "name" | "status" | "hash" | "approvedHash">;

/** A tool that is new, or was changed. `from` is null if it is new, `to` if it is forgotten. */
type ToolChange = Pick<McpTool, "id" | "name"> & {
  from: McpToolStatus | null;
  to: McpToolStatus | null;
  seen: HashedTool | null;
};

/** Workspaces take turns: tools may have megabytes together. */
const { run: takeTurn } = createTurns();

/**
 * Stores the tools that a server lists. Nobody can call what is new or differs from what was approved, until it is
 * reviewed. A renamed tool is a new one.
 *
 * @throws {DomainError} forbidden below admin, and for agents; not_found.
 */
export async function storeMcpTools(
  ctx: Ctx,
  { serverId, protocolVersion, tools }: ToolListing,
): Promise<McpServer> {
  requireRole(ctx, "admin");
  const { workspaceId } = ctx;
  // Before the transaction, which may not be idle for long.
  const seen = await takeTurn(workspaceId, hashTools(tools));
  return ctx.transaction(async (tx) => {
    const before = await lockMcpServer(tx, serverId);
    const known = await tx.db.mcpTool.findMany({
      where: { workspaceId, serverId },
      select: { id: true, name: true, status: true, hash: true, approvedHash: true },
    });
    const changes = [...findSeen(known, seen), ...findMissing(known, tools)];
    await write(tx, serverId, changes);
    const at = await tx.now();
    const server = await tx.db.mcpServer.update({
      where: { workspaceId_id: { workspaceId, id: serverId } },
      data: { health: "ok", healthAt: at, lastError: null, toolsReadAt: at, protocolVersion },
    });
    append(
      tx,
      mergeAppends(...changes.map((change) => describe(change, serverId)), healthChange(before, server)),
    );
    return server;
  });
}

function* hashTools(tools: readonly ToolDefinition[]): Steps<HashedTool[]> {
  const hashed: HashedTool[] = [];
  for (const definition of tools) {
    const json = writeDefinition(definition);
    hashed.push({ name: definition.name, json, hash: hashDefinition(json) });
    yield;
  }
  return hashed;
}

function findSeen(known: readonly Known[], tools: readonly HashedTool[]): ToolChange[] {
  const byName = new Map(known.map((tool) => [tool.name, tool]));
  return tools.flatMap((seen): ToolChange[] => {
    const { name, hash } = seen;
    const before = byName.get(name);
    if (before === undefined) return [{ id: uuidv7(), name, from: null, to: "pending", seen }];
    const to = getSeenStatus(before, hash);
    const isSame = to === before.status && isEqual(hash, before.hash);
    return isSame ? [] : [{ id: before.id, name, from: before.status, to, seen }];
  });
}

function getSeenStatus({ status, approvedHash }: Known, hash: Uint8Array): McpToolStatus {
  if (status === "blocked") return status;
  if (approvedHash === null) return "pending";
  return isEqual(hash, approvedHash) ? "approved" : "changed";
}

/** Of tools that are gone, those stay that somebody has reviewed. */
function findMissing(known: readonly Known[], tools: readonly ToolDefinition[]): ToolChange[] {
  const listed = new Set(tools.map(({ name }) => name));
  return known
    .filter(({ name, status }) => !listed.has(name) && status !== "gone" && status !== "blocked")
    .map(({ id, name, status, approvedHash }) => ({
      id,
      name,
      from: status,
      to: approvedHash === null ? null : "gone",
      seen: null,
    }));
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(other);
}

async function write(
  { db, run, ctx, now }: Transaction,
  serverId: string,
  changes: readonly ToolChange[],
): Promise<void> {
  const { workspaceId } = ctx;
  const at = await now();
  const forgotten = changes.filter(({ to }) => to === null).map(({ id }) => id);
  if (forgotten.length > 0) await db.mcpTool.deleteMany({ where: { workspaceId, id: { in: forgotten } } });
  const kept = changes.filter(({ to }) => to !== null);
  if (kept.length > 0) await run(STORE, [workspaceId, serverId, `[${kept.map(toRow).join(",")}]`, at]);
}

/** JSON. The definition is text already: it may be large. */
function toRow({ id, name, to, seen }: ToolChange): string {
  const hash = seen === null ? null : Buffer.from(seen.hash).toString("hex");
  const row = JSON.stringify({ id, name, status: to, hash });
  return seen === null ? row : `${row.slice(0, -1)},"definition":${seen.json}}`;
}

/** What a tool that is gone was, stays. */
const STORE = sql`
WITH given AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($3::jsonb) r (id uuid, name text, status text, definition jsonb, hash text)
),
changed AS (
  UPDATE mcp_tool t SET status = r.status::mcp_tool_status, definition = COALESCE(r.definition, t.definition),
    hash = COALESCE(decode(r.hash, 'hex'), t.hash), generation = t.generation + 1, updated_at = $4::timestamptz
  FROM given r WHERE t.workspace_id = $1::uuid AND t.id = r.id RETURNING t.id
)
INSERT INTO mcp_tool (workspace_id, server_id, id, name, status, definition, hash, created_at, updated_at)
SELECT $1::uuid, $2::uuid, r.id, r.name, r.status::mcp_tool_status, r.definition, decode(r.hash, 'hex'),
  $4::timestamptz, $4::timestamptz
FROM given r WHERE r.id NOT IN (SELECT id FROM changed)`;

function describe({ id, name, from, to }: ToolChange, serverId: string): AppendContent {
  const type = `mcp_tool.${to === null ? "gone" : to === "approved" || to === "blocked" ? "seen" : to}`;
  return {
    events: [
      { type, subjectType: "mcp_tool", subjectId: id, data: { server_id: serverId, name, status: to } },
    ],
    totals: [{ collection: "mcp_tools", ...(from !== null && { from }), ...(to !== null && { to }) }],
  };
}
