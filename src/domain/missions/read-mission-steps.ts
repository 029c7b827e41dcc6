import type { Table } from "../../db/columns.ts";
import type { MissionStep } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { readRelated } from "../kernel/read-related.ts";

const STEPS: Table = {
  name: "mission_step",
  fields: [
    ...["missionId", "seq", "key", "type", "params", "status", "result", "error", "startedAt", "finishedAt"],
  ],
  large: ["params", "result", "error"],
};

/** A step, without what is only kept for later. */
export type ShownStep = Omit<MissionStep, "workspaceId" | "beforeSteering">;

/**
 * Reads the steps of missions that the caller has already read, in order.
 *
 * @throws {DomainError} invalid_request if they are too large.
 */
export async function readMissionSteps(
  ctx: Ctx,
  missionIds: readonly string[],
): Promise<ReadonlyMap<string, ShownStep[]>> {
  const byId = new Map<string, ShownStep[]>(missionIds.map((id) => [id, []]));
  const steps = await readRelated<ShownStep>(ctx, {
    table: STEPS,
    query: "SELECT * FROM mission_step WHERE workspace_id = $1::uuid AND mission_id = ANY($2::uuid[])",
    order: "q.mission_id, q.seq",
    ids: missionIds,
    what: "steps",
  });
  for (const step of steps) byId.get(step.missionId)?.push(step);
  return byId;
}
