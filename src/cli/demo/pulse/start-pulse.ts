import { setTimeout as pause } from "node:timers/promises";
import { type Services, openCtx, systemCaller } from "../../../domain/context.ts";
import { reportRobotState } from "../../../domain/robots/report-robot-state.ts";
import { ROBOTS } from "../roster/robots.ts";
import { attend } from "./attend.ts";
import { carryMission } from "./carry-mission.ts";
import { openDemoAgent } from "./demo-agent.ts";
import { type Story, nextReport } from "./next-report.ts";
import { openOffice } from "./office.ts";
import { sendErrand } from "./send-errand.ts";

const BEAT_MS = 10_000;

/** Who sends the robots out. */
const DISPATCHER = "fleet-dispatcher";

/** Each robot's story; whoever is offline in it stays silent. */
const STORIES: ReadonlyMap<string, Story> = new Map(
  ROBOTS.flatMap(({ handle, state }, place) =>
    state.status === "offline" ? [] : [[handle, { ...state, place }] as const],
  ),
);

/**
 * Lets the demo's robots report, and its software agents work, every ten seconds until the signal is given. Whatever
 * fails is tried again.
 */
export async function startPulse(
  services: Services,
  workspaceId: string,
  signal: AbortSignal,
): Promise<void> {
  const office = openOffice(services, workspaceId);
  while (!signal.aborted) {
    const at = new Date();
    try {
      await beat(services, workspaceId, at);
      await office.beat(at);
    } catch (error) {
      services.log.debug({ err: error }, "agents of the demo could not go on");
    }
    await pause(BEAT_MS, null, { signal }).catch(() => {});
  }
}

/** Lets each of the demo's robots report once, as itself, and carry its mission on. */
export async function beat(services: Services, workspaceId: string, at: Date): Promise<void> {
  const demo = openCtx(services, systemCaller(workspaceId, "demo"));
  const agents = await demo.db.agent.findMany({
    where: { handle: { in: [...STORIES.keys(), DISPATCHER] }, archivedAt: null },
    select: { id: true, handle: true, name: true, robot: true },
  });
  for (const { id, handle, name, robot } of agents) {
    const story = STORIES.get(handle);
    if (robot === null || story === undefined) continue;
    const ctx = openDemoAgent(demo, { id, name });
    const isActive = await attend(ctx);
    const report = nextReport(robot, { story, isActive, at });
    await reportRobotState(ctx, report);
    if (robot.currentMissionId !== null && report.driving === true) {
      await carryMission(ctx, robot.currentMissionId, at);
    }
  }
  const dispatcher = agents.find(({ handle }) => handle === DISPATCHER);
  if (dispatcher === undefined) return;
  const ctx = openDemoAgent(demo, dispatcher);
  if (await attend(ctx)) await sendErrand(ctx, at);
}
