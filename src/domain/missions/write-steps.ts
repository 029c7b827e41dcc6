import { sql } from "../../db/sql.ts";
import type { MissionStep } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";

const WRITE = sql`
UPDATE mission_step s SET status = c.status, result = c.result, error = c.error,
  started_at = c."startedAt", finished_at = c."finishedAt", before_steering = c."beforeSteering"
FROM jsonb_to_recordset($3::jsonb) AS c(
  seq int, status mission_step_status, result jsonb, error jsonb, "startedAt" timestamptz, "finishedAt" timestamptz,
  "beforeSteering" jsonb)
WHERE s.workspace_id = $1::uuid AND s.mission_id = $2::uuid AND s.seq = c.seq`;

/** Writes the changed steps of a locked mission. */
export async function writeSteps(
  { run, ctx }: Transaction,
  missionId: string,
  steps: readonly MissionStep[],
): Promise<void> {
  if (steps.length === 0) return;
  await run(WRITE, [ctx.workspaceId, missionId, JSON.stringify(steps)]);
}
