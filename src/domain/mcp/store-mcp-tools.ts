import { v7 as uuidv7 } from "uuid";
import { sql } from "../../db/sql.ts";
import type { McpServer, McpTool, Prisma } from "../../db/generated/client.ts";
import type { McpToolStatus } from "../../db/generated/enums.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { type Steps, createTurns } from "../kernel/turns.ts";
import { lockMcpServer } from "./change-mcp-servers.ts";
import { healthChange } from "./note-mcp-server-health.ts";
import { type ToolDefinition, hashDefinition } from "./tool-definition.ts";

/** What a server says of its tools. */
export type ToolListing = { serverId: string; protocolVersion: string; tools: readonly ToolDefinition[] };

type HashedTool = { definition: ToolDefinition; hash: Uint8Array<ArrayBuffer> };

type Known = Pick<McpTool, "id" | "name" | "status" | "hash" | "approvedHash">;

/** A tool that is new, or was changed. `from` is null if it is new, `to` if it is forgotten. */
type ToolChange = Pick<McpTool, "id" | "name"> & {
  from: McpToolStatus | null;
  to: McpToolStatus | null;
  definition?: ToolDefinition;
  hash?: Uint8Array<ArrayBuffer>;
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
    hashed.push({ definition, hash: hashDefinition(definition) });
    yield;
  }
  return hashed;
}

function findSeen(known: readonly Known[], tools: readonly HashedTool[]): ToolChange[] {
  const byName = new Map(known.map((tool) => [tool.name, tool]));
  return tools.flatMap(({ definition, hash }): ToolChange[] => {
    const { name } = definition;
    const before = byName.get(name);
    if (before === undefined) return [{ id: uuidv7(), name, from: null, to: "pending", definition, hash }];
    const to = getSeenStatus(before, hash);
    const isSame = to === before.status && isEqual(hash, before.hash);
    return isSame ? [] : [{ id: before.id, name, from: before.status, to, definition, hash }];
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
      ...{ id, name, from: status, to: approvedHash === null ? null : "gone" },
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
  const added = changes.flatMap(({ id, name, from, definition, hash }) =>
    from !== null || definition === undefined || hash === undefined
      ? []
      : // Its members were parsed from JSON.
        [{ id, name, serverId, workspaceId, hash, definition: definition as Prisma.InputJsonObject }],
  );
  const times = { createdAt: at, updatedAt: at };
  if (added.length > 0) await db.mcpTool.createMany({ data: added.map((row) => ({ ...row, ...times })) });
  const changed = changes.filter(({ from, to }) => from !== null && to !== null).map(toChangedRow);
  if (changed.length > 0) await run(CHANGE, [workspaceId, JSON.stringify(changed), at]);
}

function toChangedRow({ id, to, definition, hash }: ToolChange) {
  return { id, status: to, definition, hash: hash && Buffer.from(hash).toString("hex") };
}

const CHANGE = sql`
UPDATE mcp_tool t SET status = r.status::mcp_tool_status, definition = COALESCE(r.definition, t.definition),
  hash = COALESCE(decode(r.hash, 'hex'), t.hash), generation = t.generation + 1, updated_at = $3::timestamptz
FROM jsonb_to_recordset($2::jsonb) r (id uuid, status text, definition jsonb, hash text)
WHERE t.workspace_id = $1::uuid AND t.id = r.id`;

function describe({ id, name, from, to }: ToolChange, serverId: string): AppendContent {
  const type = `mcp_tool.${to === null ? "gone" : to === "approved" || to === "blocked" ? "seen" : to}`;
  return {
    events: [
      { type, subjectType: "mcp_tool", subjectId: id, data: { server_id: serverId, name, status: to } },
    ],
    totals: [{ collection: "mcp_tools", ...(from !== null && { from }), ...(to !== null && { to }) }],
  };
}
