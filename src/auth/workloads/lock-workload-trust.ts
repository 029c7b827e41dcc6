import type { WorkloadTrust } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import { createNotFoundError } from "../../domain/kernel/errors.ts";

/**
 * Locks a workload's trust until the transaction ends. It mints no tokens meanwhile.
 *
 * @throws {DomainError} not_found, also if it is deleted.
 */
export async function lockWorkloadTrust({ run, db, ctx }: Transaction, id: string): Promise<WorkloadTrust> {
  await run(LOCK, [ctx.workspaceId, id]);
  const trust = await db.workloadTrust.findFirst({ where: { id, deletedAt: null } });
  if (trust === null) throw createNotFoundError("workload trust");
  return trust;
}

const LOCK = sql`SELECT 1 FROM workload_trust WHERE workspace_id = $1::uuid AND id = $2::uuid FOR UPDATE`;
