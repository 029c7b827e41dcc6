import type { ActorRecord } from "../../domain/kernel/actor.ts";
import { type HistoryEntry, type PastEvent, SERVICE, toEvents } from "../history.ts";
import type { MissionScenario } from "./mission-scenario.ts";

/** Builds the events of a mission. */
export function buildMissionHistory(mission: MissionScenario): PastEvent[] {
  const subject = { subjectType: "mission", subjectId: mission.id, agentId: mission.robotId };
  return toEvents(subject, listMissionHistory(mission));
}

/** Lists what happened to a mission, in order of time, starting with its creation. */
export function listMissionHistory(mission: MissionScenario): HistoryEntry[] {
  const { status, kind, priority, robotId, createdAt, assignedAt, startedAt, finishedAt } = mission;
  // The demo's missions are created by its agents and people.
  const creator = mission.createdBy as ActorRecord;
  const robot = mission.robot ?? SERVICE;
  const happened: HistoryEntry[] = [
    { type: "mission.created", at: createdAt, by: creator, data: { status: "pending", kind, priority } },
  ];
  if (assignedAt !== null) {
    const data = { status: "assigned", robot_id: robotId };
    happened.push({ type: "mission.assigned", at: assignedAt, by: SERVICE, data });
  }
  if (startedAt !== null) {
    happened.push({ type: "mission.updated", at: startedAt, by: robot, data: { status: "running" } });
  }
  for (const step of mission.steps.filter((one) => one.status === "finished")) {
    const at = step.finishedAt ?? createdAt;
    happened.push({ type: "mission.updated", at, by: robot, data: { status: "running" } });
  }
  const paused = mission.steps.find((step) => step.status === "paused")?.startedAt;
  if (paused) happened.push({ type: "mission.updated", at: paused, by: robot, data: { status } });
  if (finishedAt !== null) {
    const by = startedAt === null ? SERVICE : robot;
    happened.push({ type: "mission.finished", at: finishedAt, by, data: { status } });
  }
  return happened;
}
