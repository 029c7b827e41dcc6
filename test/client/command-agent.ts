/**
 * An agent in a process of its own that carries out commands `custom.effect` by writing their id to a file,
 * and dies at one point of the way where it is told to.
 *
 *     node --import tsx test/client/command-agent.ts '{"url":…}'
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createClient } from "../../src/client/client.ts";

/** What such an agent is told. */
export type CommandAgent = {
  url: string;
  apiKey: string;
  handle: string;
  journal: string;
  effects: string;
  recovers: boolean;
  dieAt: DeathPoint | null;
};

/** A point of the way on which it dies, in the order of the way. */
export type DeathPoint =
  | "delivered"
  | "started"
  | "acknowledged"
  | "before the effect"
  | "after the effect"
  | "done"
  | "told"
  | "reported";

// Written by the test that starts it.
const options = JSON.parse(process.argv[2] ?? "{}") as CommandAgent;

function at(point: DeathPoint): void {
  if (options.dieAt === point) process.kill(process.pid, "SIGKILL");
}

let reported = false;

/** Dies before a request, or when it is answered and nothing has been made of the answer. */
async function watchedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const address = input instanceof Request ? input.url : input.toString();
  if (address.endsWith("/ack")) at("started");
  if (address.endsWith("/result")) at("done");
  if (address.includes("/next") && reported) at("reported");
  const response = await fetch(input, init);
  if (address.includes("/next") && response.status === 200) at("delivered");
  if (address.endsWith("/ack")) at("acknowledged");
  if (address.endsWith("/result")) {
    at("told");
    reported = true;
  }
  return response;
}

function hasEffect(id: string): boolean {
  return existsSync(options.effects) && readFileSync(options.effects, "utf8").split("\n").includes(id);
}

async function run({ id }: { id: string }): Promise<unknown> {
  at("before the effect");
  appendFileSync(options.effects, `${id}\n`);
  at("after the effect");
  return { effect: id };
}

async function recover(command: { id: string }): Promise<unknown> {
  return hasEffect(command.id) ? { effect: command.id } : run(command);
}

const { url, apiKey: token, handle, journal } = options;
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const client = createClient({ url, token, agent: { handle }, fetch: watchedFetch });
await client.handleCommands({
  journal,
  handlers: { "custom.effect": { run, ...(options.recovers && { recover }) } },
  signal: stop.signal,
});
