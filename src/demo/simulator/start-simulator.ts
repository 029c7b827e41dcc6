import { openCtx, systemCaller, type Ctx } from "../../domain/kernel/context.ts";
import type { Services } from "../../domain/kernel/services.ts";
import { createMission } from "../../domain/missions/create-mission.ts";
import { reportRobotState } from "../../domain/robots/report-robot-state.ts";
import { ROBOTS } from "../roster/robots.ts";
import { planMission } from "../scenarios/mission-plans.ts";
import { attend } from "./attend.ts";
import { carryMission } from "./carry-mission.ts";
import { type RobotScenario, createNextReport } from "./create-next-report.ts";
import { openDemoAgent } from "./demo-agent.ts";
import { openOffice } from "./office.ts";
import { setTimeout as pause } from "node:timers/promises";

const TICK_MS = 10_000;

/** The agent that creates missions. */
const DISPATCHER = "fleet-dispatcher";

/** The scenarios of the robots that are not offline. */
const ROBOT_SCENARIOS: ReadonlyMap<string, RobotScenario> = new Map(
  ROBOTS.flatMap(({ handle, state }, place) =>
    state.status === "offline" ? [] : [[handle, { ...state, place }] as const],
  ),
);

/**
 * Runs the demo's robots and software agents every ten seconds until the signal is aborted. Failures are
 * retried.
 */
export async function startSimulator(
  services: Services,
  workspaceId: string,
  signal: AbortSignal,
): Promise<void> {
  const office = openOffice(services, workspaceId);
  while (!signal.aborted) {
    const at = new Date();
    try {
      await simulateRobots(services, workspaceId, at);
      await office.tick(at);
    } catch (error) {
      services.log.debug({ err: error }, "a tick of the demo's simulator failed");
    }
    await pause(TICK_MS, null, { signal }).catch(() => {});
  }
}

/** Lets each robot of the demo report once, and advances its mission. */
export async function simulateRobots(services: Services, workspaceId: string, at: Date): Promise<void> {
  const demo = openCtx(services, systemCaller(workspaceId, "demo"));
  const agents = await demo.db.agent.findMany({
    where: { handle: { in: [...ROBOT_SCENARIOS.keys(), DISPATCHER] }, archivedAt: null },
    select: { id: true, handle: true, name: true, robot: true },
  });
  for (const { id, handle, name, robot } of agents) {
    const scenario = ROBOT_SCENARIOS.get(handle);
    if (robot === null || scenario === undefined) continue;
    const ctx = openDemoAgent(demo, { id, name });
    const isActive = await attend(ctx);
    const report = createNextReport(robot, { scenario, isActive, at });
    await reportRobotState(ctx, report);
    if (robot.currentMissionId !== null && report.driving === true) {
      await carryMission(ctx, robot.currentMissionId, at);
    }
  }
  const dispatcher = agents.find(({ handle }) => handle === DISPATCHER);
  if (dispatcher === undefined) return;
  const ctx = openDemoAgent(demo, dispatcher);
  if (await attend(ctx)) await sendMission(ctx, at);
}

/** A mission is created every this many ticks on average, and none if too many wait. */
const EVERY_TICKS = 6;
const WAITING = 3;

const LATEST_MS = 30 * 60_000;

/** Sometimes creates a mission for any free robot of a fleet. */
async function sendMission(ctx: Ctx, at: Date): Promise<void> {
  if (Math.floor(at.getTime() / 10_000) % EVERY_TICKS !== 0) return;
  if ((await ctx.db.mission.count({ where: { status: "pending" } })) >= WAITING) return;
  const { title, kind, fleet, seconds, steps } = planMission(`errand at ${at.toISOString()}`, null);
  await createMission(ctx, {
    title,
    kind,
    selector: { fleet },
    minBatteryPercent: 20,
    estimatedDurationSeconds: Math.round(seconds),
    deadlineAt: new Date(at.getTime() + LATEST_MS),
    steps: steps.map(({ key, type, station, action }) => ({
      key,
      type,
      params: { station, ...(action !== undefined && { action }) },
    })),
  });
}
