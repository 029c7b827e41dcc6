import { TABLES, selectList } from "../../db/columns.ts";
import type { Execution } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { Ctx, Services } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { moveExecution } from "./move-execution.ts";

/** Rows per transaction: few, because the workspace's head is locked meanwhile. */
const BATCH = 100;

const DUE_WORKSPACES = sql<{ id: string }>`
SELECT DISTINCT workspace_id AS id FROM execution WHERE status = 'started' AND lease_expires_at <= ${NOW}`;

const LOCK_DUE = sql<Execution & { $now: Date }>`
SELECT ${selectList("e", TABLES.execution)}, at.now AS "$now"
FROM execution e, (SELECT date_trunc('milliseconds', ${NOW}) AS now) AS at
WHERE e.workspace_id = $1::uuid AND e.status = 'started' AND e.lease_expires_at <= at.now
ORDER BY e.lease_expires_at LIMIT ${BATCH} FOR NO KEY UPDATE OF e SKIP LOCKED`;

/**
 * Marks executions as unknown whose lease ended without a report, or as unreported where none was to come. Nothing repeats them but a person. Any number of
 * nodes may run it at once.
 *
 * @returns the number of changed executions.
 */
export async function sweepExecutions(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  return sweepWorkspaces(services, { now, turns }, { due: DUE_WORKSPACES, batch: sweepBatch });
}

const UNKNOWN = { status: "unknown", type: "execution.unknown" } as const;
/** Nobody needs to look into it. */
const UNREPORTED = { status: "unreported", type: "execution.finished" } as const;

async function sweepBatch(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (tx) => {
    const due = await tx.run(LOCK_DUE, [ctx.workspaceId]);
    for (const { $now: now, ...execution } of due) {
      const { status, type } = execution.isReported ? UNKNOWN : UNREPORTED;
      const data = { status, endedAt: now };
      const { appended } = await moveExecution(tx, { execution, now }, { data, type });
      append(tx, appended);
    }
    return due.length;
  });
}
