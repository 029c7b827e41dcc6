import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../src/client/api-error.ts";
import type { Schemas } from "../src/client/api-types.ts";
import { type Client, createClient } from "../src/client/client.ts";
import type { CommandHandler } from "../src/client/command-run.ts";

/** Failures of a step with their probabilities. */
const MISHAPS = {
  fail: 0.03,
  stick: 0.05,
  stall: 0.02,
  takeOver: 0.03,
  dropOut: 0.02,
  restart: 0.03,
} as const;
/** Probability that a robot rejects a mission. */
const REJECTS = 0.08;
const AWAY_MS = { dropOut: 5000, restart: 500, takeOver: 3000 } as const;
const STATE_EVERY_MS = 1000;

type Mishap = keyof typeof MISHAPS;

/** Number of occurrences of each failure. */
export type Mishaps = Map<Mishap | "reject", number>;

export type RobotOptions = {
  url: string;
  /** The workspace's API key. */
  token: string;
  handle: string;
  /** The folder for its journal. */
  directory: string;
  /** Approximate duration of a step. */
  stepMs: number;
  /** Failures are counted here. */
  mishaps: Mishaps;
  /** Aborted when the bench ends. */
  signal: AbortSignal;
};

/** The robot's current mission. */
type Work = {
  id: string;
  over: AbortController;
  ended: AbortSignal;
  skipped: Set<string>;
  decide: () => void;
};

type Robot = RobotOptions & {
  client: Client;
  mode: "automatic" | "manual";
  isPaused: boolean;
  work: Work | null;
  /** Ends the command loop. While it is aborted, the robot is offline. */
  awake: AbortController;
};

/**
 * Simulates a robot against a real server until the signal is aborted: it reports its state, executes commands with
 * the client, reports progress of its missions, and fails at random.
 */
export async function simulateRobot(options: RobotOptions): Promise<void> {
  const { url, token, handle, signal } = options;
  const robot: Robot = {
    ...options,
    client: createClient({ url, token, agent: { handle, kind: "robot" }, log: () => {} }),
    mode: "automatic",
    isPaused: false,
    work: null,
    awake: new AbortController(),
  };
  takeCommands(robot).catch(ignore);
  while (!signal.aborted) {
    if (!robot.awake.signal.aborted) await tellState(robot).catch(ignore);
    await sleep(STATE_EVERY_MS, null, { signal }).catch(ignore);
  }
}

/** Reports are lost while the robot is offline or the bench ends. */
function ignore(): void {}

async function tellState({ client, signal, ...robot }: Robot, restarted = false): Promise<void> {
  const body = {
    state_seq: Date.now(),
    restarted,
    operating_mode: robot.mode,
    battery_percent: 40 + Math.random() * 60,
    executing: robot.work !== null,
    paused: robot.isPaused,
  };
  await client.send("PUT /robots/self/state", { body, signal });
}

/** A new command loop starts when the previous one has closed the journal. */
async function takeCommands(robot: Robot): Promise<void> {
  const { client, directory, handle } = robot;
  const signal = AbortSignal.any([robot.awake.signal, robot.signal]);
  const journal = path.join(directory, `${handle}.journal`);
  while (!signal.aborted) {
    await client.handleCommands({ journal, handlers: createHandlers(robot), signal }).catch(ignore);
    await sleep(100, null, { signal }).catch(ignore);
  }
}

/** @returns whether the mission still belongs to the robot. */
async function reportMission(
  { client, signal }: Robot,
  id: string,
  body: Schemas["MissionProgress"],
): Promise<boolean> {
  try {
    await client.send("POST /missions/{id}/progress", { id, body, signal });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false;
    throw error;
  }
}

async function drive(robot: Robot, id: string, keys: readonly string[]): Promise<void> {
  const over = new AbortController();
  const ended = AbortSignal.any([over.signal, robot.signal]);
  const work: Work = { id, over, ended, skipped: new Set(), decide: ignore };
  robot.work = work;
  try {
    await tellState(robot);
    for (const key of keys) if (!(await doStep(robot, work, key))) break;
  } finally {
    if (robot.work === work) robot.work = null;
  }
  await tellState(robot);
}

/** @returns whether to continue with the next step. */
async function doStep(robot: Robot, work: Work, key: string): Promise<boolean> {
  if (!(await reportMission(robot, work.id, { steps: [{ key, status: "running" }] }))) return false;
  await sleep(robot.stepMs * (0.5 + Math.random()), null, { signal: work.ended });
  while (robot.isPaused) await sleep(100, null, { signal: work.ended });
  const mishap = drawMishap();
  if (mishap !== null) note(robot, mishap);
  if (mishap !== null && !(await recover(robot, work, { mishap, key }))) return false;
  if (work.skipped.has(key)) return true;
  return reportMission(robot, work.id, { steps: [{ key, status: "finished" }] });
}

/** @returns whether the robot recovers. */
async function recover(
  robot: Robot,
  work: Work,
  { mishap, key }: { mishap: Mishap; key: string },
): Promise<boolean> {
  switch (mishap) {
    case "fail": {
      const error = { type: "path.blocked", level: "critical" };
      await reportMission(robot, work.id, { steps: [{ key, status: "failed", error }] });
      return false;
    }
    case "stick": {
      const decided = new Promise<void>((resolve) => {
        work.decide = resolve;
        work.ended.addEventListener("abort", () => resolve(), { once: true });
      });
      const error = { type: "gripper.slipped", level: "urgent" };
      await reportMission(robot, work.id, { steps: [{ key, status: "retriable", error }] });
      await decided;
      return !work.ended.aborted;
    }
    case "stall":
      await sleep(3_600_000, null, { signal: work.ended });
      return false;
    case "takeOver":
      Object.assign(robot, { mode: "manual", work: null });
      await tellState(robot);
      await sleep(AWAY_MS.takeOver, null, { signal: robot.signal });
      robot.mode = "automatic";
      return false;
    case "dropOut":
    case "restart":
      await goOffline(robot, AWAY_MS[mishap]);
      return false;
  }
}

/** The robot forgets its mission, and reports being idle when it is back. */
async function goOffline(robot: Robot, ms: number): Promise<void> {
  robot.work = null;
  robot.awake.abort();
  await sleep(ms, null, { signal: robot.signal });
  robot.awake = new AbortController();
  takeCommands(robot).catch(ignore);
}

function createHandlers(robot: Robot): Record<string, CommandHandler> {
  return {
    "mission.start": {
      run: async ({ params }) => {
        // In the service's format.
        const { mission_id: id, steps } = params as { mission_id: string; steps: { key: string }[] };
        drive(
          robot,
          id,
          steps.map(({ key }) => key),
        ).catch(ignore);
        return { begun: true };
      },
      // The robot has forgotten the mission, and its state says so.
      recover: async () => ({ begun: false }),
      refuse: () => {
        if (robot.work === null && Math.random() >= REJECTS) return null;
        note(robot, "reject");
        return { reject: "Not now." };
      },
    },
    "mission.cancel": handler(async ({ mission_id: id }) => {
      if (robot.work?.id === id) robot.work.over.abort();
      robot.isPaused = false;
      await reportMission(robot, id, { status: "canceled" });
    }),
    "mission.pause": handler(() => Object.assign(robot, { isPaused: true })),
    "mission.resume": handler(() => Object.assign(robot, { isPaused: false })),
    "mission.retry_step": handler(() => robot.work?.decide()),
    "mission.skip_step": handler(({ step_key: key }) => {
      robot.work?.skipped.add(key);
      robot.work?.decide();
    }),
  };
}

function handler(act: (params: { mission_id: string; step_key: string }) => unknown): CommandHandler {
  async function run({ params }: Schemas["AgentCommand"]): Promise<null> {
    // In the service's format.
    await act(params as { mission_id: string; step_key: string });
    return null;
  }
  return { run, recover: run };
}

function note({ mishaps }: Robot, mishap: Mishap | "reject"): void {
  mishaps.set(mishap, (mishaps.get(mishap) ?? 0) + 1);
}

function drawMishap(): Mishap | null {
  let drawn = Math.random();
  for (const [mishap, share] of Object.entries(MISHAPS)) {
    drawn -= share;
    // Object.entries() loses the key type.
    if (drawn < 0) return mishap as Mishap;
  }
  return null;
}
