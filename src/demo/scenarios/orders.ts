import type { AgentCommand } from "../../db/generated/client.ts";
import type { ActorRecord } from "../../domain/kernel/actor.ts";
import { type Random, createRandom } from "../random.ts";
import { PEOPLE } from "../roster/people.ts";
import { ROBOTS } from "../roster/robots.ts";
import { SOFTWARE_AGENTS } from "../roster/software-agents.ts";
import { addSeconds } from "../times.ts";
import type { DemoWorld } from "../demo-world.ts";
import type { CommandScenario } from "./command-row.ts";

const CLOSED = { succeeded: 86, failed: 4, rejected: 3, timed_out: 2, expired: 3, canceled: 2 } as const;
/** The statuses of the newest commands, newest first. */
const OPEN: readonly AgentCommand["status"][] = [
  ...([
    "queued",
    "delivered",
    "running",
    "queued",
    "acknowledged",
    "succeeded",
    "running",
    "queued",
  ] as const),
];
const OPEN_EVERY_SECONDS = 25;
const ROBOT_TYPES = {
  "robot.dock": 30,
  "robot.localize": 20,
  "mission.pause": 16,
  "mission.resume": 16,
  "robot.stop": 6,
};
const SOFTWARE_TYPES = {
  "agent.reload_config": 26,
  custom: 40,
  "agent.pause": 12,
  "agent.resume": 12,
  "agent.restart": 10,
};
const REASONS = ["deployment", "maintenance window", "odd answers", "asked by the team", "end of shift"];

/** Builds a command of any kind: number `index` of `count` in the month. */
export function plainOrder(world: DemoWorld, index: number, count: number): CommandScenario {
  const random = createRandom(`order ${index}`);
  const robot = random.chance(0.4);
  const { handle, type, params } = robot ? robotOrder(random) : softwareOrder(random);
  const open = OPEN[count - 1 - index];
  const at =
    open === undefined
      ? world.getMoment((index + random.next()) / count)
      : openSince(world, count - index, random);
  // A command that takes an hour can't have ended just after it was issued.
  const settled = world.end.getTime() - at.getTime() > 3_700_000;
  return {
    name: `order ${index}`,
    agentId: world.agent(handle).id,
    type,
    params,
    at,
    status: open ?? (settled ? random.weigh(CLOSED) : "succeeded"),
    by: pickIssuer(world, random, robot),
    missionId: null,
    taskId: null,
    seconds: type.startsWith("custom.") || type === "robot.dock" ? [3, 240] : [0.1, 4],
  };
}

/** Open commands are always from the last minutes. */
function openSince(world: DemoWorld, fromEnd: number, random: Random): Date {
  return addSeconds(world.end, -OPEN_EVERY_SECONDS * (fromEnd - random.next()));
}

function robotOrder(random: Random): { handle: string; type: string; params: object } {
  const { handle } = random.pick(ROBOTS.filter(({ state }) => state.status !== "offline"));
  const type = random.weigh(ROBOT_TYPES);
  if (type === "robot.dock")
    return { handle, type, params: { station: random.pick(["charger-1", "charger-4"]) } };
  if (type === "robot.localize") return { handle, type, params: { map_id: "hall-a-r12" } };
  return { handle, type, params: { reason: random.pick(REASONS) } };
}

function softwareOrder(random: Random): { handle: string; type: string; params: object } {
  const { handle, commands } = random.pick(SOFTWARE_AGENTS);
  const type = random.weigh(SOFTWARE_TYPES);
  if (type === "custom") return { handle, type: random.pick(commands), params: {} };
  if (type === "agent.reload_config") return { handle, type, params: { revision: random.whole(210, 486) } };
  return { handle, type, params: { reason: random.pick(REASONS) } };
}

function pickIssuer(world: DemoWorld, random: Random, robot: boolean): ActorRecord {
  if (random.chance(0.45)) return world.agent(robot ? "fleet-dispatcher" : "primary");
  return world.person(random.pick(PEOPLE.filter(({ role }) => role !== "viewer")).email);
}
