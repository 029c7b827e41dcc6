import { TABLES, selectList } from "../../db/columns.ts";
import type { Mission } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { OrderAnswer } from "../approvals/order-answer.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { assignMissions } from "./assign-missions.ts";
import { endMission, missionError } from "./mission-moves.ts";
import { insertSteps, parsePlanArguments } from "./mission-plan.ts";
import { getStatusAfter } from "./mission-states.ts";
import { type MissionMove, moveMissions } from "./move-missions.ts";

/**
 * Lets the missions that people approved be assigned, at once if a robot is free, and ends the others.
 *
 * @returns what the transaction must append.
 */
export async function followMissions(
  tx: Transaction,
  answers: readonly OrderAnswer[],
): Promise<AppendContent> {
  if (answers.length === 0) return { events: [] };
  const waiting = await tx.run(LOCK, [tx.ctx.workspaceId, answers.map(({ id }) => id)]);
  const now = await tx.now();
  const moves: MissionMove[] = [];
  for (const mission of waiting) {
    const answer = answers.find(({ id }) => id === mission.id);
    if (answer === undefined) continue;
    const planned = answer.args === null ? mission : await replacePlan(tx, mission.id, answer.args);
    moves.push(toMove(planned, answer, now));
  }
  const appended: AppendContent[] = [(await moveMissions(tx, now, moves)).appended];
  for (const { id, outcome } of answers) {
    if (outcome === "approved") appended.push((await assignMissions(tx, id)).appended);
  }
  return mergeAppends(...appended);
}

const LOCK = sql<Mission>`
SELECT ${selectList("m", TABLES.mission)} FROM mission m
WHERE m.workspace_id = $1::uuid AND m.id = ANY($2::uuid[]) AND m.status = 'awaiting_approval'
ORDER BY m.id FOR NO KEY UPDATE`;

function toMove(mission: Mission, { outcome, error }: OrderAnswer, now: Date): MissionMove {
  if (outcome === "approved") {
    const status = getStatusAfter(mission.status, "approve");
    return { mission, change: { status }, event: "mission.updated" };
  }
  const reason = error === null ? null : missionError(error.code, "warning", error.message);
  return endMission(mission, outcome === "expired" ? "expire" : "cancel", { now, error: reason });
}

async function replacePlan(tx: Transaction, id: string, args: unknown): Promise<Mission> {
  const { steps, ...plan } = parsePlanArguments(args);
  await tx.db.missionStep.deleteMany({ where: { missionId: id } });
  await insertSteps(tx, id, steps);
  return tx.db.mission.update({
    where: { workspaceId_id: { workspaceId: tx.ctx.workspaceId, id } },
    data: plan,
  });
}
