import type { Prisma, WorkloadTrust } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { requireRole } from "../../domain/kernel/guard.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";

/**
 * Lists the trusts of the workspace's workloads, newest first, at most a hundred.
 *
 * @throws {DomainError} forbidden below admin, and for agents.
 */
export async function listWorkloadTrusts(
  ctx: Ctx,
  query: Pick<Prisma.WorkloadTrustFindManyArgs, "include" | "select">,
): Promise<WorkloadTrust[]> {
  requireRole(ctx, "admin");
  return ctx.db.workloadTrust.findMany({
    ...query,
    where: { deletedAt: null },
    take: LIMITS.workloadTrusts,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
}
