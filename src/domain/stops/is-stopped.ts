import { share, sql } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";

/** Whether an emergency stop stands, and whatever agents are let do is `stopped`. Who ask in one moment share it. */
export async function isStopped(ctx: Ctx): Promise<boolean> {
  const [workspace] = await ctx.read(STOPPED, [ctx.workspaceId]);
  return workspace?.isStopped ?? false;
}

/** The same inside a transaction, as it is at this statement. */
export async function isStoppedIn(tx: Transaction): Promise<boolean> {
  const [workspace] = await tx.run(STOPPED, [tx.ctx.workspaceId]);
  return workspace?.isStopped ?? false;
}

const STOPPED = share(
  sql<{
    isStopped: boolean;
  }>`SELECT emergency_stop_at IS NOT NULL AS "isStopped" FROM workspace WHERE id = $1::uuid`,
);

/** In SQL, what agent `agent` may do: `stopped` for all under the emergency stop of workspace `workspace`. */
export function buildControlStateSql(agent: string, workspace: string): string {
  return controlState(agent, `${workspace}.emergency_stop_at`);
}

/** In SQL, whether that is what the placeholder `value` says; $1 is the workspace. */
export function hasControlState(agent: string, value: string): string {
  const stoppedAt = "(SELECT emergency_stop_at FROM workspace WHERE id = $1::uuid)";
  return `${controlState(agent, stoppedAt)} = ${value}::control_state`;
}

function controlState(agent: string, stoppedAt: string): string {
  return `CASE WHEN ${stoppedAt} IS NULL THEN ${agent}.control_state ELSE 'stopped' END`;
}
