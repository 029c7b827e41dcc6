import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { WorkloadTrust } from "../../db/generated/client.ts";
import { createActorRecord } from "../../domain/kernel/actor.ts";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { createFieldError, createNotFoundError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { handle, parseInput } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { lockWorkspace } from "../../domain/workspaces/lock-workspace.ts";
import { lockNamedAgent, requireNotArchived } from "../lock-agent.ts";
import { parseScopes } from "../scope-list.ts";
import { findKeysProblem, workloadTrustFields } from "./workload-trust-input.ts";

const shape = z.object({
  ...workloadTrustFields,
  agentHandle: handle,
  jwksUri: workloadTrustFields.jwksUri.default(null),
  jwks: workloadTrustFields.jwks.default(null),
  lifetimeSeconds: workloadTrustFields.lifetimeSeconds.default(LIMITS.workloadTokenSeconds.default),
  reusable: z.boolean().default(false),
});

/**
 * Trusts an issuer: its tokens with these claims can be exchanged for access tokens of an agent.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; invalid_scope; validation_failed, also
 *   for an archived agent and if the workspace has too many; not_found for an unknown agent.
 */
export async function createWorkloadTrust(ctx: Ctx, input: z.input<typeof shape>): Promise<WorkloadTrust> {
  requireSudo(ctx, "admin");
  const { agentHandle, jwks, ...fields } = parseInput(shape, input);
  const scopes = parseScopes(fields.scopes);
  const problem = findKeysProblem({ ...fields, jwks });
  if (problem !== null) throw createFieldError("jwks", problem);
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    await requireRoom(tx);
    const agent = await lockNamedAgent(tx, agentHandle);
    if (agent === null) throw createNotFoundError("agent");
    requireNotArchived(agent, "agentHandle");
    const now = await tx.now();
    const own = { workspaceId: ctx.workspaceId, id: uuidv7(), agentId: agent.id };
    const trust = await tx.db.workloadTrust.create({
      data: {
        ...fields,
        ...own,
        scopes,
        createdBy: createActorRecord(ctx.actor),
        createdAt: now,
        updatedAt: now,
        ...(jwks !== null && { jwks }),
      },
    });
    const { name, issuer, audience, claimPatterns } = fields;
    const changes = { name, issuer, audience, claim_patterns: claimPatterns, scopes, agent_id: agent.id };
    const type = "workload_trust.created";
    append(tx, {
      events: [{ type, subjectType: "workload_trust", subjectId: trust.id, agentId: agent.id }],
      audit: [{ action: type, targetType: "workload_trust", targetId: trust.id, changes }],
    });
    return trust;
  });
}

async function requireRoom({ db }: Transaction): Promise<void> {
  if ((await db.workloadTrust.count({ where: { deletedAt: null } })) < LIMITS.workloadTrusts) return;
  throw createFieldError("name", `can't be added: a workspace has at most ${LIMITS.workloadTrusts} trusts`);
}
