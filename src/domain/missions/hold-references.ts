import { v7 as uuidv7 } from "uuid";
import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";

type Named = Partial<Record<"robotId" | "taskId" | "contextId", string | null | undefined>>;

/**
 * Finds what a new mission names, and makes stops and changes of policies wait until the transaction ends.
 *
 * @returns the generation of the policies, the time, and the mission's context: by default its task's.
 * @throws {DomainError} validation_failed for a robot or task that is not of this workspace.
 */
export async function holdReferences(
  { run, ctx }: Transaction,
  { robotId, taskId, contextId }: Named,
): Promise<{ generation: number; now: Date; contextId: string }> {
  const [held] = await run(HOLD, [ctx.workspaceId, robotId ?? null, taskId ?? null]);
  if (held === undefined) throw new Error("the workspace does not exist");
  if (robotId && !held.hasRobot) throw createFieldError("robotId", "is not a robot of this workspace");
  if (taskId && held.taskId === null) throw createFieldError("taskId", "is not a task of this workspace");
  return { generation: held.generation, now: held.now, contextId: contextId ?? held.contextId ?? uuidv7() };
}

const HOLD = sql<{
  generation: number;
  now: Date;
  hasRobot: boolean;
  taskId: string | null;
  contextId: string | null;
}>`
SELECT w.gate_generation AS generation, date_trunc('milliseconds', ${NOW}) AS now,
  EXISTS (
    SELECT FROM robot r JOIN agent a ON a.workspace_id = r.workspace_id AND a.id = r.id
    WHERE r.workspace_id = w.id AND r.id = $2::uuid AND a.archived_at IS NULL) AS "hasRobot",
  t.id AS "taskId", t.context_id AS "contextId"
FROM workspace w LEFT JOIN task t ON t.workspace_id = w.id AND t.id = $3::uuid
WHERE w.id = $1::uuid FOR SHARE OF w`;
