import { CLOCK, sql } from "../../db/sql.ts";
import type { Robot } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";

/**
 * Locks a robot's row until the transaction ends.
 *
 * @returns the robot, and the transaction's time.
 * @throws {DomainError} not_found.
 */
export async function lockRobot(
  { run, db, ctx }: Transaction,
  id: string,
): Promise<{ robot: Robot; now: Date }> {
  const [locked] = await run(LOCK, [ctx.workspaceId, id]);
  if (locked === undefined) throw createNotFoundError("robot");
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  return { robot: await db.robot.findUniqueOrThrow({ where }), now: locked.now };
}

const LOCK = sql<{ now: Date }>`
SELECT date_trunc('milliseconds', ${CLOCK}) AS now
FROM robot WHERE workspace_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE`;
