import type { AgentCommand, AgentCommandStatus, MissionStatus } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../context.ts";
import { append } from "../events.ts";
import { withMission } from "./lock-mission.ts";
import { type MissionAct, statusAfter } from "./mission-states.ts";
import { moveMissions } from "./move-missions.ts";

/** What was told to a robot, the status that it gave its mission, and what takes that back. */
const STEERED: Record<string, { status: MissionStatus; back: MissionAct }> = {
  "mission.pause": { status: "paused", back: "resume" },
  "mission.resume": { status: "running", back: "pause" },
};

/** The ends of a command after which its robot goes on as before. */
const NOT_DONE: ReadonlySet<AgentCommandStatus> = new Set(["rejected", "failed", "expired"]);

/**
 * Takes back what an operator made of a mission where its robot did not: one that rejects a pause runs on,
 * and one that rejects a resume stays paused. Only the last such command counts. The same again changes nothing.
 *
 * @param command one of any type, as it is after a change.
 */
export async function undoSteering(ctx: Ctx, command: AgentCommand): Promise<void> {
  const steered = STEERED[command.type];
  if (steered === undefined || command.missionId === null || !NOT_DONE.has(command.status)) return;
  await withMission(ctx, command.missionId, async (tx, { mission, now }) => {
    if (mission.status !== steered.status || mission.robotId !== command.agentId) return;
    if (!(await isLast(tx, command))) return;
    const change = { status: statusAfter(mission.status, steered.back), idleReports: 0 };
    const told = { reason: `${command.type.replace("mission.", "")}_${command.status}` };
    const { appended } = await moveMissions(tx, now, [{ mission, change, event: "mission.updated", told }]);
    await append(tx, appended);
  });
}

async function isLast({ db }: Transaction, { id, missionId }: AgentCommand): Promise<boolean> {
  const last = await db.agentCommand.findFirst({
    where: { missionId, type: { in: Object.keys(STEERED) } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { id: true },
  });
  return last?.id === id;
}
