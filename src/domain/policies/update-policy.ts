import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Policy } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { requireSudo } from "../kernel/guard.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { appendPolicyChange, findPolicy, requireRoom, toPolicyData } from "./change-policies.ts";
import { type PolicyRule, type PolicyRuleInput, policyRule } from "./policy-rule.ts";
import { toRule } from "./to-rule.ts";

const shape = z.object({ id: uuid, ifGeneration: z.int().nullish() });

/**
 * Replaces a policy's rule. Questions that it asked are void. An equal rule changes nothing.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found;
 *   precondition_failed if its generation is another one than `ifGeneration`; validation_failed;
 *   already_exists; policy_too_complex.
 */
export async function updatePolicy(
  ctx: Ctx,
  input: z.input<typeof shape>,
  given: PolicyRuleInput,
): Promise<Policy> {
  requireSudo(ctx, "admin");
  const { id, ifGeneration } = parseInput(shape, input);
  const rule = parseInput(policyRule, given);
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const before = await findPolicy(tx, id);
    if (typeof ifGeneration === "number" && before.generation !== ifGeneration) {
      throw new DomainError("precondition_failed", "The policy was changed. Read it again.");
    }
    return replacePolicy(tx, before, rule);
  });
}

/** Replaces the rule of a stored policy by a parsed one. The workspace is locked. */
export async function replacePolicy(tx: Transaction, before: Policy, rule: PolicyRule): Promise<Policy> {
  if (isDeepStrictEqual(toRule(before), rule)) return before;
  const { id, workspaceId } = before;
  await requireRoom(tx, rule, id);
  const policy = await tx.db.policy.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { ...toPolicyData(tx, rule), generation: before.generation + 1, updatedAt: await tx.now() },
  });
  await appendPolicyChange(tx, "policy.updated", { policy, rule });
  return policy;
}
