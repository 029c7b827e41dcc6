import { setTimeout as pause } from "node:timers/promises";
import type { Actor } from "../../../domain/actor.ts";
import { heartbeatAgent } from "../../../domain/agents/heartbeat-agent.ts";
import { type Services, openCtx, systemCaller } from "../../../domain/context.ts";
import { reportRobotState } from "../../../domain/robots/report-robot-state.ts";
import { ROBOTS } from "../roster/robots.ts";
import { type Story, nextReport } from "./next-report.ts";

const BEAT_MS = 10_000;

/** Each robot's story; whoever is offline in it stays silent. */
const STORIES: ReadonlyMap<string, Story> = new Map(
  ROBOTS.flatMap(({ handle, state }, place) =>
    state.status === "offline" ? [] : [[handle, { ...state, place }] as const],
  ),
);

/** Lets the demo's robots report every ten seconds until the signal is given. Whatever fails is tried again. */
export async function startPulse(
  services: Services,
  workspaceId: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await beat(services, workspaceId, new Date());
    } catch (error) {
      services.log.debug({ err: error }, "robots of the demo could not report");
    }
    await pause(BEAT_MS, null, { signal }).catch(() => {});
  }
}

/** Lets each of the demo's robots report once, as itself. */
export async function beat(services: Services, workspaceId: string, at: Date): Promise<void> {
  const caller = systemCaller(workspaceId, "demo");
  const agents = await openCtx(services, caller).db.agent.findMany({
    where: { handle: { in: [...STORIES.keys()] }, archivedAt: null },
    select: { id: true, handle: true, name: true, controlState: true, robot: true },
  });
  for (const { id, handle, name, controlState, robot } of agents) {
    const story = STORIES.get(handle);
    if (robot === null || story === undefined) continue;
    const ctx = openCtx(services, { ...caller, actor: robotActor(id, name) });
    await heartbeatAgent(ctx);
    await reportRobotState(ctx, nextReport(robot, { story, isActive: controlState === "active", at }));
  }
}

/** A robot that came with a credential of nobody's: it can do nothing but report. */
function robotActor(id: string, name: string): Actor {
  const credential = { kind: "api_key" as const, id, apiKeyId: id, expiresAt: null };
  return { type: "agent", id, name, scopes: new Set(["robots:report"]), credential };
}
