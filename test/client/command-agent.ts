/**
 * An agent in its own process that executes commands `custom.effect` by writing their id to a file, and crashes at a
 * given point.
 *
 *     node --import tsx test/client/command-agent.ts '{"url":…}'
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createClient } from "../../src/client/client.ts";

/** The agent's options. */
export type CommandAgent = {
  url: string;
  apiKey: string;
  handle: string;
  journal: string;
  effects: string;
  recovers: boolean;
  dieAt: DeathPoint | null;
};

/** A point at which it crashes, in order. */
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

/** Crashes before a request, or after its response before using it. */
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
