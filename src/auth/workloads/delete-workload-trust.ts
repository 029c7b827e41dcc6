import type { Ctx } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { endTrustTokens } from "./end-trust-tokens.ts";
import { lockWorkloadTrust } from "./lock-workload-trust.ts";

/**
 * Deletes a workload's trust, and revokes its access tokens at once.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found.
 */
export async function deleteWorkloadTrust(ctx: Ctx, id: string): Promise<void> {
  requireSudo(ctx, "admin");
  await ctx.transaction(async (tx) => {
    const { agentId, name } = await lockWorkloadTrust(tx, id);
    await tx.db.workloadTrust.updateMany({ where: { id }, data: { deletedAt: await tx.now() } });
    const type = "workload_trust.deleted";
    append(tx, {
      events: [{ type, subjectType: "workload_trust", subjectId: id, agentId }],
      audit: [{ action: type, targetType: "workload_trust", targetId: id, changes: { name } }],
      revocations: await endTrustTokens(tx, id, "revoked"),
    });
  }, "urgent");
}
