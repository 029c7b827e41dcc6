import type { Mission, MissionStep, Robot } from "../../src/db/generated/client.ts";
import type { MissionStatus } from "../../src/db/generated/enums.ts";
import { acknowledgeAgentCommand } from "../../src/domain/agent-commands/acknowledge-agent-command.ts";
import { nextAgentCommands } from "../../src/domain/agent-commands/next-agent-commands.ts";
import { sweepAgentCommands } from "../../src/domain/agent-commands/sweep-agent-commands.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { cancelMission } from "../../src/domain/missions/cancel-mission.ts";
import { createMission } from "../../src/domain/missions/create-mission.ts";
import { pauseMission, resumeMission } from "../../src/domain/missions/pause-mission.ts";
import { reportMissionProgress } from "../../src/domain/missions/report-mission-progress.ts";
import { retryMissionStep, skipMissionStep } from "../../src/domain/missions/steer-step.ts";
import { sweepMissions } from "../../src/domain/missions/sweep-missions.ts";
import { writeHeldReports } from "../../src/domain/robots/held-reports.ts";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { reportRobotState } from "../../src/domain/robots/report-robot-state.ts";
import { sweepRobots } from "../../src/domain/robots/sweep-robots.ts";
import { agentCtx } from "./agent-ctx.ts";
import { userCtx } from "./callers.ts";
import { insertTestAgent } from "./factories.ts";
import type { QuietServices } from "./quiet-services.ts";

const START = new Date("2100-01-01T00:00:00.000Z");

/** A robot of a test: its context and number of reports. */
export type SceneRobot = Ctx & { robotId: string; seq: number };

/** Options of a test's mission. */
type Fields = Partial<Parameters<typeof createMission>[1]>;

/** The actors of a test about missions, at a time of its own. */
export type MissionScene = {
  workspaceId: string;
  operator: Ctx;
  robots: SceneRobot[];
};

/** Two steps, for missions whose steps don't matter. */
export const TWO_STEPS = [
  { key: "drive", type: "move", params: { to: "dock-1" } },
  { key: "lift", type: "action" },
] as const;

/** Creates a workspace with an operator and free robots. */
export async function openMissionScene(quiet: QuietServices, robots = 1): Promise<MissionScene> {
  const { workspaceId } = await quiet.createWorkspace();
  const operator = userCtx(quiet, workspaceId, "operator");
  operator.now = START;
  const scene: MissionScene = { workspaceId, operator, robots: [] };
  for (let count = 0; count < robots; count++) await addRobot(quiet, scene);
  return scene;
}

/** Adds a free robot. */
export async function addRobot(quiet: QuietServices, scene: MissionScene): Promise<SceneRobot> {
  const { workspaceId, operator } = scene;
  const robotId = await insertTestAgent(quiet.systemCtx(workspaceId), "robot");
  const ctx = agentCtx(quiet, { id: robotId, workspaceId }, { now: operator.now });
  const robot = Object.assign(ctx, { robotId, seq: 0 });
  scene.robots.push(robot);
  await reportState(robot);
  return robot;
}

/** Lets a robot report its state, idle by default, and waits until it is written. */
export async function reportState(
  robot: SceneRobot,
  state: Partial<Parameters<typeof reportRobotState>[1]> = {},
): Promise<void> {
  const report = { operatingMode: "automatic", batteryPercent: 80, ...state } as const;
  await reportRobotState(robot, { ...report, stateSeq: ++robot.seq });
  await writeHeldReports(robot.services);
}

/** Lets time pass in a scene. */
export function passMissionTime({ operator, robots }: MissionScene, seconds: number): void {
  const now = new Date((operator.now ?? START).getTime() + seconds * 1000);
  for (const ctx of [operator, ...robots]) ctx.now = now;
}

/** Processes all deadlines of missions. */
export async function sweepAll({ operator: { services, now } }: MissionScene): Promise<void> {
  await sweepAgentCommands(services, now);
  await sweepRobots(services, now);
  await sweepMissions(services, now);
}

/** The scene's robot with this index. */
export function robotAt({ robots }: MissionScene, place = 0): SceneRobot {
  const robot = robots[place];
  if (robot === undefined) throw new Error(`there is no robot ${place}`);
  return robot;
}

/** Creates a mission with two steps. */
export async function newMission({ operator }: MissionScene, fields: Fields = {}): Promise<Mission> {
  return createMission(operator, { title: "Bring it", kind: "transport", steps: [...TWO_STEPS], ...fields });
}

/** A stored mission with its steps. */
export async function readStoredMission(ctx: Ctx, id: string): Promise<Mission & { steps: MissionStep[] }> {
  return ctx.db.mission.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
    include: { steps: { orderBy: { seq: "asc" } } },
  });
}

/** The types and statuses of a mission's commands, in order. */
export async function listCommands({ operator }: MissionScene, missionId: string): Promise<string[]> {
  const commands = await operator.db.agentCommand.findMany({
    where: { missionId },
    orderBy: [{ createdAt: "asc" }, { seq: "asc" }],
  });
  return commands.map(({ type, status }) => `${type} ${status}`);
}

/** A stored robot. */
export async function readStoredRobot({ robotId: id, ...ctx }: SceneRobot): Promise<Robot> {
  return ctx.db.robot.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } } });
}

/** Lets a robot fetch its commands, and accept or reject them. @returns their types. */
export async function answerCommands(
  robot: SceneRobot,
  outcome: "accepted" | "rejected" = "accepted",
): Promise<string[]> {
  const types: string[] = [];
  for (;;) {
    const commands = await nextAgentCommands(robot, { limit: 10 });
    if (commands.length === 0) return types;
    for (const { id, type } of commands) {
      types.push(type);
      await acknowledgeAgentCommand(robot, { id, outcome });
    }
  }
}

/** Every action on the mission `id` of the scene's first robot. */
export const MISSION_MODEL_ACTS = {
  begin: (scene, id) => report(scene, { id, steps: [{ key: "drive", status: "running" }] }),
  finish: (scene, id) =>
    report(scene, {
      id,
      steps: [
        { key: "drive", status: "finished" },
        { key: "lift", status: "finished" },
      ],
    }),
  failStep: (scene, id) =>
    report(scene, { id, steps: [{ key: "drive", status: "failed", error: { type: "blocked" } }] }),
  stick: (scene, id) => report(scene, { id, steps: [{ key: "drive", status: "retriable" }] }),
  robotPauses: (scene, id) => report(scene, { id, status: "paused" }),
  robotGoesOn: (scene, id) => report(scene, { id, status: "running" }),
  robotGivesUp: (scene, id) => report(scene, { id, status: "failed" }),
  robotConfirms: (scene, id) => report(scene, { id, status: "canceled" }),
  pause: ({ operator }, id) => pauseMission(operator, { id }),
  resume: ({ operator }, id) => resumeMission(operator, { id }),
  cancel: ({ operator }, id) => cancelMission(operator, { id }),
  force: ({ operator }, id) => cancelMission(operator, { id, force: true }),
  retry: ({ operator }, id) => retryMissionStep(operator, { id, stepKey: "drive" }),
  skip: ({ operator }, id) => skipMissionStep(operator, { id, stepKey: "drive" }),
  accept: (scene) => answerCommands(robotAt(scene)),
  reject: (scene) => answerCommands(robotAt(scene), "rejected"),
  takeOver: (scene) => reportState(robotAt(scene), { operatingMode: "manual" }),
  sweep: (scene) => sweepAll(scene),
} satisfies Record<string, (scene: MissionScene, id: string) => Promise<unknown>>;

export type MissionActName = keyof typeof MISSION_MODEL_ACTS;

function report(scene: MissionScene, input: Parameters<typeof reportMissionProgress>[1]): Promise<Mission> {
  return reportMissionProgress(robotAt(scene), input);
}

/** How to bring a mission of a free robot into each status. */
const WAYS: Record<MissionStatus, MissionActName[]> = {
  awaiting_approval: [],
  pending: [],
  assigned: [],
  running: ["begin"],
  paused: ["begin", "pause"],
  completed: ["finish"],
  failed: ["failStep"],
  canceled: ["cancel"],
  expired: [],
};

/** Creates a scene with a mission with a status. @returns the mission's id. */
export async function missionIn(
  quiet: QuietServices,
  status: MissionStatus,
): Promise<{ scene: MissionScene; id: string }> {
  const scene = await openMissionScene(quiet);
  // No robot is assigned, because it requires a full battery.
  const waits = status === "pending" || status === "expired";
  if (status === "awaiting_approval") {
    const system = quiet.systemCtx(scene.workspaceId);
    await createPolicy(system, { name: "ask", effect: "ask", actions: ["mission.create"] });
  }
  const deadlineAt = status === "expired" ? new Date(START.getTime() + 1000) : null;
  const { id } = await newMission(scene, { deadlineAt, ...(waits && { minBatteryPercent: 100 }) });
  for (const act of WAYS[status]) await MISSION_MODEL_ACTS[act](scene, id);
  if (status === "expired") {
    passMissionTime(scene, 2);
    await sweepAll(scene);
  }
  return { scene, id };
}
