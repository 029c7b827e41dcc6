import { z } from "zod";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { name, parseInput } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { parseScopes } from "../scope-list.ts";
import { ipAllowlist } from "./ip-allowlist.ts";
import { type LockedKey, lockActiveLineage } from "./lock-lineage.ts";

const shape = z.object({
  name: name(LIMITS.nameLength).optional(),
  scopes: z.array(z.string()).optional(),
  ipAllowlist: ipAllowlist.optional(),
});

type Fields = Pick<LockedKey, "name" | "scopes" | "ipAllowlist">;

/**
 * Updates a valid API key. Fields that are left out don't change. Scopes can only be removed: tokens lose
 * them too, and sockets that depend on the key are closed to reconnect.
 *
 * @throws {DomainError} forbidden below admin; sudo_required; not_found; invalid_state if the key is
 *   revoked or expired; invalid_scope for scopes that it does not have; validation_failed.
 */
export async function updateApiKey(ctx: Ctx, apiKeyId: string, input: z.input<typeof shape>): Promise<void> {
  requireSudo(ctx, "admin");
  const asked = parseInput(shape, input);
  await ctx.transaction(async (tx) => {
    const { key, lineage } = await lockActiveLineage(tx, apiKeyId);
    const fields: Fields = {
      name: asked.name ?? key.name,
      scopes: asked.scopes === undefined ? key.scopes : narrowScopes(asked.scopes, key),
      ipAllowlist: asked.ipAllowlist ?? key.ipAllowlist,
    };
    const changes = diffFields(key, fields);
    if (Object.keys(changes).length === 0) return;
    await write(tx, apiKeyId, fields);
    const subject = { subjectType: "api_key", subjectId: apiKeyId, agentId: key.agentId };
    append(tx, {
      events: [{ type: "api_key.updated", ...subject, data: { name: fields.name, scopes: fields.scopes } }],
      audit: [{ action: "api_key.updated", targetType: "api_key", targetId: apiKeyId, changes }],
      // Sockets and tokens of earlier keys in the lineage depend on this key since the rotation.
      revocations: listRevocationReasons(changes).flatMap((reason) =>
        lineage.map(({ id }) => ({ kind: "api_key" as const, subjectId: id, reason })),
      ),
    });
  }, "urgent");
}

function narrowScopes(asked: readonly string[], { scopes }: LockedKey): string[] {
  return parseScopes(asked, (scope) => {
    if (scopes.includes(scope)) return;
    const message = `The key does not have the scope ${scope}. Scopes can be removed, not added.`;
    throw new DomainError("invalid_scope", message, { field: "scopes" });
  });
}

function diffFields(before: Fields, after: Fields): Record<string, { from: unknown; to: unknown }> {
  return {
    ...(before.name !== after.name && { name: { from: before.name, to: after.name } }),
    ...(before.scopes.length !== after.scopes.length && {
      scopes: { from: before.scopes, to: after.scopes },
    }),
    ...(before.ipAllowlist.join() !== after.ipAllowlist.join() && {
      ip_allowlist: { from: before.ipAllowlist, to: after.ipAllowlist },
    }),
  };
}

/** Lists why nodes must look the key up again. A new name is no reason. */
function listRevocationReasons(changes: object): string[] {
  if ("scopes" in changes) return ["scopes_narrowed"];
  return "ip_allowlist" in changes ? ["ip_allowlist_changed"] : [];
}

async function write({ db, ctx }: Transaction, apiKeyId: string, fields: Fields): Promise<void> {
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id: apiKeyId } };
  await db.apiKey.update({ where, data: fields });
}
