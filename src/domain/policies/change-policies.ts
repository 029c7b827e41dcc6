import type { Policy, Prisma } from "../../db/generated/client.ts";
import { NO_JSON } from "../../db/no-json.ts";
import { sql } from "../../db/sql.ts";
import { cancelApprovalsAskedBy } from "../approvals/cancel-pending-approvals.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError, createFieldError, createNotFoundError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { LIMITS } from "../kernel/limits.ts";
import { countIndexKeys, isBroad } from "./policy-index.ts";
import { type PolicyRule, getRuleSize } from "./policy-rule.ts";

export type PolicyChange = "policy.created" | "policy.updated" | "policy.deleted";

const COUNT_CHANGE = sql`UPDATE workspace SET gate_generation = gate_generation + 1 WHERE id = $1::uuid`;

/** @throws {DomainError} not_found. */
export async function findPolicy({ db, ctx }: Transaction, id: string): Promise<Policy> {
  const policy = await db.policy.findUnique({
    where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
  });
  if (policy === null) throw createNotFoundError("policy");
  return policy;
}

/**
 * Requires that the workspace has room for a rule, and that no other policy has its name. The workspace is locked.
 *
 * @throws {DomainError} validation_failed; already_exists; policy_too_complex.
 */
export async function requireRoom(tx: Transaction, rule: PolicyRule, id: string | null): Promise<void> {
  const [found] = await tx.run(ROOM, [tx.ctx.workspaceId, rule.name, id]);
  if (found === undefined) throw createNotFoundError("workspace");
  if (found.hasName) {
    throw new DomainError("already_exists", "A policy with this name already exists.", { field: "name" });
  }
  if (id === null && found.total >= LIMITS.policies) {
    throw createFieldError("name", `can't be added: a workspace has at most ${LIMITS.policies} policies`);
  }
  if (found.bytes + getRuleSize(rule) > LIMITS.policiesBytes) {
    const message = `All policies together can have at most ${LIMITS.policiesBytes} bytes as JSON.`;
    throw new DomainError("policy_too_complex", message);
  }
  if (found.keys + countIndexKeys(rule) > LIMITS.policyKeys) {
    throw new DomainError(
      "policy_too_complex",
      `All policies together can have at most ${LIMITS.policyKeys} subjects, actions and resources.`,
    );
  }
  if (rule.enabled && isBroad(rule) && found.broad >= LIMITS.broadPolicies) {
    throw new DomainError(
      "policy_too_complex",
      `At most ${LIMITS.broadPolicies} enabled policies can be for any resource and any subject. Begin the names of resources or subjects with literal text.`,
    );
  }
}

const ROOM = sql<{ total: number; bytes: number; keys: number; broad: number; hasName: boolean }>`
SELECT (SELECT count(*)::int FROM policy WHERE workspace_id = $1::uuid) AS total,
  (SELECT COALESCE(sum(size), 0)::int FROM policy WHERE workspace_id = $1::uuid AND id IS DISTINCT FROM $3::uuid)
    AS bytes,
  (SELECT COALESCE(sum(index_keys), 0)::int FROM policy WHERE workspace_id = $1::uuid
    AND id IS DISTINCT FROM $3::uuid) AS keys,
  (SELECT count(*)::int FROM policy WHERE workspace_id = $1::uuid AND is_broad AND enabled
    AND id IS DISTINCT FROM $3::uuid) AS broad,
  EXISTS (SELECT 1 FROM policy WHERE workspace_id = $1::uuid AND name = $2 AND id IS DISTINCT FROM $3::uuid)
    AS "hasName"`;

/** The columns of a rule, and who wrote it. */
export function toPolicyData({ ctx }: Transaction, rule: PolicyRule) {
  const { subjects, resources, approval, ...fields } = rule;
  return {
    ...fields,
    // JSON that was parsed.
    subjects: (subjects as Prisma.InputJsonArray | null) ?? NO_JSON,
    resources: (resources as Prisma.InputJsonArray | null) ?? NO_JSON,
    approval: approval ?? NO_JSON,
    isBroad: isBroad(rule),
    indexKeys: countIndexKeys(rule),
    size: getRuleSize(rule),
    updatedBy: createActorRecord(ctx.actor),
  };
}

/**
 * Keeps a policy's rule as a version, and appends the change. Later checks don't use remembered policies, and
 * questions that the policy asks are cancelled.
 */
export async function appendPolicyChange(
  tx: Transaction,
  change: PolicyChange,
  { policy, rule }: { policy: Pick<Policy, "id" | "name" | "generation">; rule: PolicyRule | null },
): Promise<void> {
  const { ctx, db } = tx;
  const { id, name, generation } = policy;
  const { workspaceId } = ctx;
  if (rule !== null) {
    // JSON that was parsed.
    const json = rule as unknown as Prisma.InputJsonObject;
    const version = { workspaceId, policyId: id, generation, rule: json, by: createActorRecord(ctx.actor) };
    await db.policyVersion.create({ data: { ...version, at: await tx.now() } });
  }
  await tx.run(COUNT_CHANGE, [workspaceId]);
  const cancelled = await cancelApprovalsAskedBy(tx, [id]);
  append(tx, {
    events: [
      ...cancelled.events,
      { type: change, subjectType: "policy", subjectId: id, data: { name, generation } },
    ],
    totals: [...cancelled.totals, TOTALS[change]],
    audit: [
      { action: change, targetType: "policy", targetId: id, changes: rule === null ? { name } : { rule } },
    ],
  });
}

const TOTALS = {
  "policy.created": { collection: "policies", to: null },
  "policy.updated": { collection: "policies", from: null, to: null },
  "policy.deleted": { collection: "policies", from: null },
} as const;
