import { z } from "zod";
import { toColumnName } from "../../db/columns.ts";
import type { McpServer, Prisma } from "../../db/generated/client.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { describeMcpServer, lockMcpServer } from "./change-mcp-servers.ts";
import { mcpServerFields } from "./mcp-server-input.ts";

const changes = z.object(mcpServerFields).partial();
const shape = changes.extend({ id: uuid, ifGeneration: z.int().nullish() });

const FIELDS = ["name", "url", "enabled", "holdSeconds"] as const;

/**
 * Changes a server. With another origin its credential is gone: it was entered for the one before.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found; precondition_failed if its
 *   generation is another one than `ifGeneration`; validation_failed.
 */
export async function updateMcpServer(ctx: Ctx, input: z.input<typeof shape>): Promise<McpServer> {
  requireSudo(ctx, "admin");
  const { id, ifGeneration, ...given } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const before = await lockMcpServer(tx, id);
    if (typeof ifGeneration === "number" && before.generation !== ifGeneration) {
      throw new DomainError("precondition_failed", "The MCP server was changed. Read it again.");
    }
    const changed = FIELDS.filter((field) => given[field] !== undefined && given[field] !== before[field]);
    if (changed.length === 0) return before;
    const losesCredential =
      given.url !== undefined && new URL(given.url).origin !== new URL(before.url).origin;
    const server = await tx.db.mcpServer.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
      data: {
        ...Object.fromEntries(changed.map((field) => [field, given[field]])),
        ...(losesCredential && NO_CREDENTIAL),
        generation: before.generation + 1,
        updatedBy: createActorRecord(ctx.actor),
        updatedAt: await tx.now(),
      },
    });
    const told = changed.map(
      (field) => [toColumnName(field), { from: before[field], to: server[field] }] as const,
    );
    append(tx, {
      ...describeMcpServer("mcp_server.updated", server, {
        ...Object.fromEntries<unknown>(told),
        ...(losesCredential && before.credentialKind !== "none" && { credential: "removed" }),
      }),
      totals: [{ collection: "mcp_servers", from: null, to: null }],
    });
    return server;
  });
}

const NO_CREDENTIAL = {
  credentialKind: "none",
  credentialHeader: null,
  sealedCredential: null,
} satisfies Prisma.McpServerUpdateInput;
