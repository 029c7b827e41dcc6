import { z } from "zod";
import type { Policy } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { requireSudo } from "../kernel/guard.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { appendPolicyChange, findPolicy } from "./change-policies.ts";

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
    await lockWorkspace(tx);
    const policy = await findPolicy(tx, id);
    await removePolicy(tx, policy);
    return policy;
  });
}

/** Deletes a stored policy. The workspace is locked. */
export async function removePolicy(tx: Transaction, policy: Policy): Promise<void> {
  const { id, workspaceId } = policy;
  await tx.db.policy.delete({ where: { workspaceId_id: { workspaceId, id } } });
  await appendPolicyChange(tx, "policy.deleted", { policy, rule: null });
}
