import { AUDIT_EVENTS_DUE, deleteAuditEvents } from "../audit/delete-audit-events.ts";
import type { Services } from "../kernel/context.ts";
import { type WorkspaceSweep, sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { deleteOldRows, retentionStatements } from "./delete-old-rows.ts";
import { RETENTION_RULES } from "./retention-rules.ts";

const RULES = RETENTION_RULES.map((rule) => ({ rule, statements: retentionStatements(rule) }));

/**
 * Deletes rows beyond retention in all workspaces, a limited number of batches per collection. Any number
 * of nodes may run it at once.
 *
 * @param now the time for ages. Only in tests.
 * @returns the number of deleted rows.
 * @throws {AggregateError} all errors, after every collection had its turn.
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

/** Without a signing key, nothing is deleted from the audit log. */
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
