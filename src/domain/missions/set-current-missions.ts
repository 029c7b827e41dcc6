import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";

type Changed = { id: string; generation: number; missionId: string | null };

/** Changes only robots whose current mission differs. */
const SET = sql<Changed>`
UPDATE robot r SET current_mission_id = c."missionId", generation = r.generation + 1, updated_at = $3::timestamptz
FROM jsonb_to_recordset($2::jsonb) AS c("robotId" uuid, "missionId" uuid)
WHERE r.workspace_id = $1::uuid AND r.id = c."robotId" AND r.current_mission_id IS DISTINCT FROM c."missionId"
RETURNING r.id, r.generation, r.current_mission_id AS "missionId"`;

/**
 * Sets the current missions of locked robots.
 *
 * @returns what the transaction must append.
 */
export async function setCurrentMissions(
  { run, ctx }: Transaction,
  now: Date,
  robots: readonly { robotId: string; missionId: string | null }[],
): Promise<Required<Pick<AppendContent, "events" | "totals">>> {
  if (robots.length === 0) return { events: [], totals: [] };
  const changed = await run(SET, [ctx.workspaceId, JSON.stringify(robots), now]);
  return {
    events: changed.map(({ id, generation, missionId }) => ({
      type: "robot.state_changed",
      subjectType: "robot",
      subjectId: id,
      agentId: id,
      data: { generation, current_mission_id: missionId },
    })),
    totals: changed.map(() => ({ collection: "robots" as const, from: null, to: null })),
  };
}
