import { z } from "zod";
import type { Policy } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { appendPolicyChange, findPolicy, lockPolicies } from "./change-policies.ts";

const shape = z.object({ id: uuid });

/**
 * Deletes a policy. Its versions stay for the decisions that name them.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found.
 */
export async function deletePolicy(ctx: Ctx, input: z.input<typeof shape>): Promise<Policy> {
  requireSudo(ctx, "admin");
  const { id } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    await lockPolicies(tx);
    const policy = await findPolicy(tx, id);
    await tx.db.policy.delete({ where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } } });
    await appendPolicyChange(tx, "policy.deleted", { policy, rule: null });
    return policy;
  });
}
