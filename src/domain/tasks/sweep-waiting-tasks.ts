import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { append } from "../kernel/events.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { resumeTasks } from "./follow-tasks.ts";
import { openApprovalSql } from "./open-approval.ts";

/** Rows per transaction: few, so that nobody waits long. */
const BATCH = 100;

const IS_LEFT = `t.status = 'auth_required' AND NOT EXISTS ${openApprovalSql("t")}`;

/** The workspaces that have some. */
export const TASKS_LEFT = sql<{ id: string }>`
SELECT DISTINCT t.workspace_id AS id FROM task t WHERE ${IS_LEFT}`;

const LOCK_LEFT = sql<{ id: string }>`
SELECT t.id FROM task t WHERE t.workspace_id = $1::uuid AND ${IS_LEFT}
ORDER BY t.id LIMIT ${BATCH} FOR UPDATE OF t SKIP LOCKED`;

/**
 * Lets tasks go on that wait for an approval which is not open. Whoever ends an approval does that in the same
 * transaction: this finds what an approval left behind that was lost, such as by a restored backup.
 *
 * @returns the number of changed tasks.
 */
export async function sweepWaitingTasks(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  return sweepWorkspaces(services, { now, turns }, { due: TASKS_LEFT, batch: sweepBatch });
}

async function sweepBatch(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (tx) => {
    const left = await tx.run(LOCK_LEFT, [ctx.workspaceId]);
    if (left.length === 0) return 0;
    const resumed = await resumeTasks(
      tx,
      left.map(({ id }) => id),
    );
    append(tx, resumed);
    return resumed.events.length;
  });
}
