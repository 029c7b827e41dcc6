import { setTimeout as pause } from "node:timers/promises";
import type { Actor } from "../../../domain/actor.ts";
import { heartbeatAgent } from "../../../domain/agents/heartbeat-agent.ts";
import { type Services, openCtx, systemCaller } from "../../../domain/context.ts";
import { reportRobotState } from "../../../domain/robots/report-robot-state.ts";
import type { Scope } from "../../../domain/scopes.ts";
import { ROBOTS } from "../roster/robots.ts";
import { carryMission, obeyCommands } from "./carry-mission.ts";
import { type Story, nextReport } from "./next-report.ts";
import { sendErrand } from "./send-errand.ts";

const BEAT_MS = 10_000;

/** Who sends the robots out. */
const DISPATCHER = "fleet-dispatcher";

const SCOPES: ReadonlySet<Scope> = new Set([
  "robots:report",
  "agent_commands:read",
  "agent_commands:ack",
  "missions:report",
  "missions:write",
]);

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

/** Lets each of the demo's robots report once, as itself, and carry its mission on. */
export async function beat(services: Services, workspaceId: string, at: Date): Promise<void> {
  const caller = systemCaller(workspaceId, "demo");
  const agents = await openCtx(services, caller).db.agent.findMany({
    where: { handle: { in: [...STORIES.keys(), DISPATCHER] }, archivedAt: null },
    select: { id: true, handle: true, name: true, controlState: true, robot: true },
  });
  for (const { id, handle, name, controlState, robot } of agents) {
    const story = STORIES.get(handle);
    if (robot === null || story === undefined) continue;
    const ctx = openCtx(services, { ...caller, actor: agentActor(id, name) });
    await heartbeatAgent(ctx);
    await obeyCommands(ctx);
    const report = nextReport(robot, { story, isActive: controlState === "active", at });
    await reportRobotState(ctx, report);
    if (robot.currentMissionId !== null && report.driving === true) {
      await carryMission(ctx, robot.currentMissionId, at);
    }
  }
  const dispatcher = agents.find(({ handle }) => handle === DISPATCHER);
  if (dispatcher === undefined) return;
  const { id, name } = dispatcher;
  await sendErrand(openCtx(services, { ...caller, actor: agentActor(id, name) }), at);
}

/** An agent that came with a credential of nobody's: it can do nothing but what the pulse does. */
function agentActor(id: string, name: string): Actor {
  const credential = { kind: "api_key" as const, id, apiKeyId: id, expiresAt: null };
  return { type: "agent", id, name, scopes: SCOPES, credential };
}
