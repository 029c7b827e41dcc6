import { AUDIT_EVENTS_DUE, deleteAuditEvents } from "../audit/delete-audit-events.ts";
import type { Services } from "../kernel/context.ts";
import { type WorkspaceSweep, sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { deleteOldRows, retentionStatements } from "./delete-old-rows.ts";
import { RETENTION_RULES } from "./retention-rules.ts";

const RULES = RETENTION_RULES.map((rule) => ({ rule, statements: retentionStatements(rule) }));

/**
 * Deletes what every workspace has kept for as long as its settings say, a number of batches of each collection.
 * Any number of nodes may do it at once.
 *
 * @param now tests only: the time that ages are counted to.
 * @returns how many rows were deleted.
 * @throws {AggregateError} with what failed, when every collection had its turn.
 */
export async function sweepRetention(services: Services, now: Date | null = null): Promise<number> {
  const failures: unknown[] = [];
  let total = 0;
  for (const one of buildSweeps(services)) {
    try {
      total += await sweepWorkspaces(services, now, one);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "old rows could not be deleted");
  return total;
}

/** Without a key that signs it, nothing is deleted of the audit log. */
function buildSweeps({ auditSigner: signer }: Services): WorkspaceSweep[] {
  const sweeps = RULES.map(({ rule, statements }): WorkspaceSweep => ({
    actor: "retention",
    due: statements.due,
    batch: (ctx) => ctx.transaction((tx) => deleteOldRows(tx, rule, statements)),
  }));
  if (signer === null) return sweeps;
  const actor = "audit retention";
  return [...sweeps, { actor, due: AUDIT_EVENTS_DUE, batch: (ctx) => deleteAuditEvents(ctx, signer) }];
}
