import { z } from "zod";
import type { Prisma, WorkloadTrust } from "../../db/generated/client.ts";
import { NO_JSON } from "../../db/no-json.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { parseInput } from "../../domain/kernel/input.ts";
import { parseScopes } from "../scope-list.ts";
import { endTrustTokens } from "./end-trust-tokens.ts";
import { lockWorkloadTrust } from "./lock-workload-trust.ts";
import { findKeysProblem, workloadTrustFields } from "./workload-trust-input.ts";

const FIELDS = workloadTrustFields;

const shape = z.object({
  name: FIELDS.name.exactOptional(),
  issuer: FIELDS.issuer.exactOptional(),
  audience: FIELDS.audience.exactOptional(),
  claimPatterns: FIELDS.claimPatterns.exactOptional(),
  jwksUri: FIELDS.jwksUri.exactOptional(),
  jwks: FIELDS.jwks.exactOptional(),
  scopes: FIELDS.scopes.exactOptional(),
  lifetimeSeconds: FIELDS.lifetimeSeconds.exactOptional(),
  reusable: FIELDS.reusable.exactOptional(),
  enabled: z.boolean().exactOptional(),
});

/**
 * Updates a workload's trust. Fields that are left out don't change. Every change but that of its name revokes its
 * access tokens at once: workloads get others by the rules as they are then.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found; invalid_scope;
 *   validation_failed.
 */
export async function updateWorkloadTrust(
  ctx: Ctx,
  id: string,
  input: z.input<typeof shape>,
): Promise<WorkloadTrust> {
  requireSudo(ctx, "admin");
  const { enabled, jwks, scopes, ...fields } = parseInput(shape, input);
  const asked = { ...fields, ...(scopes !== undefined && { scopes: parseScopes(scopes) }) };
  return ctx.transaction(async (tx) => {
    const before = await lockWorkloadTrust(tx, id);
    const problem = findKeysProblem({
      issuer: asked.issuer ?? before.issuer,
      jwks: jwks === undefined ? before.jwks : jwks,
      jwksUri: asked.jwksUri === undefined ? before.jwksUri : asked.jwksUri,
    });
    if (problem !== null) throw createFieldError("jwks", problem);
    const now = await tx.now();
    const data: Prisma.WorkloadTrustUncheckedUpdateInput = {
      ...asked,
      updatedAt: now,
      ...(jwks !== undefined && { jwks: jwks ?? NO_JSON }),
      ...(enabled !== undefined && { disabledAt: enabled ? null : (before.disabledAt ?? now) }),
    };
    const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
    const trust = await tx.db.workloadTrust.update({ where, data });
    const changed = Object.keys(data).filter((field) => isChanged(before, trust, field));
    if (changed.length === 0) return trust;
    const subject = { subjectType: "workload_trust", subjectId: id, agentId: trust.agentId };
    const isRuleChanged = changed.some((field) => field !== "name");
    append(tx, {
      events: [{ type: "workload_trust.updated", ...subject, data: { changed } }],
      audit: [
        {
          action: "workload_trust.updated",
          targetType: "workload_trust",
          targetId: id,
          changes: Object.fromEntries(changed.map((field) => [field, describeChange(before, trust, field)])),
        },
      ],
      revocations: isRuleChanged
        ? await endTrustTokens(tx, id, enabled === false ? "disabled" : "updated")
        : [],
    });
    return trust;
  }, "urgent");
}

function isChanged(before: object, after: object, field: string): boolean {
  return field !== "updatedAt" && readJson(before, field) !== readJson(after, field);
}

function describeChange(before: object, after: object, field: string): Record<string, unknown> {
  // Keys are long, and the trust has them.
  if (field === "jwks") return { changed: true };
  return { from: JSON.parse(readJson(before, field)), to: JSON.parse(readJson(after, field)) };
}

function readJson(row: object, field: string): string {
  return JSON.stringify(Reflect.get(row, field) ?? null);
}
