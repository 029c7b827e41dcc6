import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";
import type { CommandAgent, DeathPoint } from "./command-agent.ts";

const program = fileURLToPath(new URL("command-agent.ts", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "agent-ops-commands-"));

let world: TestWorld;
let operator: Client;

beforeAll(async () => {
  world = await createWorld();
  operator = createClient({ url: world.server.url, token: world.apiKey });
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.server.close();
});

type Life = { exited: Promise<[number | null, NodeJS.Signals | null]>; stop: () => void };

function start(agent: CommandAgent): Life {
  const child = spawn(process.execPath, ["--import", "tsx", program, JSON.stringify(agent)], {
    stdio: "inherit",
  });
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  return { exited, stop: () => child.kill("SIGTERM") };
}

async function createAgent(name: string, recovers: boolean): Promise<CommandAgent & { agentId: string }> {
  const handle = `${name.replaceAll(/\W/g, "-")}-${recovers ? "recovers" : "forgets"}`;
  const { agent_id: agentId } = await operator.mint({ agent: { handle } });
  const [journal, effects] = [path.join(folder, `${handle}.journal`), path.join(folder, `${handle}.effects`)];
  return {
    url: world.server.url,
    apiKey: world.apiKey,
    handle,
    journal,
    effects,
    recovers,
    dieAt: null,
    agentId,
  };
}

async function issue(agentId: string): Promise<string> {
  const body = { agent_id: agentId, type: "custom.effect" };
  const { agent_commands: commands } = await operator.send("POST /operator/agent_commands", { body });
  return commands[0]?.id ?? "";
}

async function newestCursor(): Promise<string> {
  return (await operator.send("GET /events", { query: {} })).next_after;
}

async function waitForFinish(id: string, after: string): Promise<void> {
  const types = ["agent_command.finished"];
  for await (const { kind } of operator.events({ after, types, subject: id })) if (kind === "event") return;
}

/** Lets an agent crash at a point and restarts it, until it has executed a later command. */
async function liveTwice(dieAt: DeathPoint, recovers: boolean) {
  const { agentId, ...agent } = await createAgent(dieAt, recovers);
  const cursor = await newestCursor();
  const id = await issue(agentId);
  const [code, signal] = await start({ ...agent, dieAt }).exited;
  expect([code, signal]).toEqual([null, "SIGKILL"]);
  const second = start(agent);
  await waitForFinish(await issue(agentId), cursor);
  second.stop();
  expect(await second.exited).toEqual([0, null]);
  const { agent_command: command } = await operator.send("GET /agent_commands/{id}", { id });
  const effects = existsSync(agent.effects) ? readFileSync(agent.effects, "utf8").split("\n") : [];
  return { command, times: effects.filter((effect) => effect === id).length };
}

const POINTS: { point: DeathPoint; times: number; isKnown: boolean }[] = [
  { point: "delivered", times: 1, isKnown: true },
  { point: "started", times: 0, isKnown: false },
  { point: "acknowledged", times: 0, isKnown: false },
  { point: "before the effect", times: 0, isKnown: false },
  { point: "after the effect", times: 1, isKnown: false },
  { point: "done", times: 1, isKnown: true },
  { point: "told", times: 1, isKnown: true },
  { point: "reported", times: 1, isKnown: true },
];

describe("a killed agent", { timeout: 60_000 }, () => {
  it.each(POINTS)("at $point has its effect once if its handler has `recover`", async ({ point }) => {
    const { command, times } = await liveTwice(point, true);
    expect(command).toMatchObject({
      status: "succeeded",
      result: { effect: command.id },
      error: null,
      late: false,
    });
    expect(times).toBe(1);
  });

  it.each(POINTS)(
    "at $point never repeats a command with an unknown outcome",
    async ({ point, times, isKnown }) => {
      const lived = await liveTwice(point, false);
      const outcome = isKnown
        ? { status: "succeeded", result: { effect: lived.command.id } }
        : { status: "failed", error: { code: "unknown_outcome" } };
      expect(lived.command).toMatchObject(outcome);
      expect(lived.times).toBe(times);
    },
  );
});
