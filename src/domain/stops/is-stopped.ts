import { share, sql } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";

/**
 * Whether an emergency stop is active, which makes every control state `stopped`. Concurrent callers share
 * the read.
 */
export async function isStopped(ctx: Ctx): Promise<boolean> {
  const [workspace] = await ctx.read(STOPPED, [ctx.workspaceId]);
  return workspace?.isStopped ?? false;
}

/** {@link isStopped} in a transaction, at this statement. */
export async function isStoppedIn(tx: Transaction): Promise<boolean> {
  const [workspace] = await tx.run(STOPPED, [tx.ctx.workspaceId]);
  return workspace?.isStopped ?? false;
}

const STOPPED = share(
  sql<{
    isStopped: boolean;
  }>`SELECT emergency_stop_at IS NOT NULL AS "isStopped" FROM workspace WHERE id = $1::uuid`,
);

/**
 * SQL for the effective control state of agent `agent`: `stopped` during an emergency stop of workspace
 * `workspace`.
 */
export function buildControlStateSql(agent: string, workspace: string): string {
  return controlState(agent, `${workspace}.emergency_stop_at`);
}

/** SQL condition: the effective control state equals the placeholder `value`. $1 is the workspace. */
export function hasControlState(agent: string, value: string): string {
  const stoppedAt = "(SELECT emergency_stop_at FROM workspace WHERE id = $1::uuid)";
  return `${controlState(agent, stoppedAt)} = ${value}::control_state`;
}

function controlState(agent: string, stoppedAt: string): string {
  return `CASE WHEN ${stoppedAt} IS NULL THEN ${agent}.control_state ELSE 'stopped' END`;
}
