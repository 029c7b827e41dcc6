import { v7 as uuidv7 } from "uuid";
import type { Policy } from "../../db/generated/client.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { requireSudo } from "../kernel/guard.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { parseInput } from "../kernel/input.ts";
import { appendPolicyChange, requireRoom, toPolicyData } from "./change-policies.ts";
import { type PolicyRule, type PolicyRuleInput, policyRule } from "./policy-rule.ts";

/**
 * Creates a policy. Every check that begins later decides by it.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; validation_failed;
 *   already_exists; policy_too_complex.
 */
export async function createPolicy(ctx: Ctx, input: PolicyRuleInput): Promise<Policy> {
  requireSudo(ctx, "admin");
  const rule = parseInput(policyRule, input);
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    return insertPolicy(tx, rule);
  });
}

/** Creates a policy of a parsed rule. The workspace is locked. */
export async function insertPolicy(tx: Transaction, rule: PolicyRule): Promise<Policy> {
  const { ctx, db } = tx;
  await requireRoom(tx, rule, null);
  const now = await tx.now();
  const createdBy = createActorRecord(ctx.actor);
  const own = { workspaceId: ctx.workspaceId, id: uuidv7(), createdBy, createdAt: now, updatedAt: now };
  const policy = await db.policy.create({ data: { ...toPolicyData(tx, rule), ...own } });
  await appendPolicyChange(tx, "policy.created", { policy, rule });
  return policy;
}
