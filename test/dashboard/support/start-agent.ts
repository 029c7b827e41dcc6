import { createClient } from "../../../src/client/client.ts";
import type { DashboardWorld } from "./dashboard-world.ts";

/** A real agent that completes every task of its queue. */
export type RunningAgent = { stop: () => Promise<void> };

/** Starts an agent with the published client. Its tasks wait until `mayComplete` resolves. */
export function startAgent(
  { server, apiKey }: Pick<DashboardWorld, "server" | "apiKey">,
  handle: string,
  mayComplete: Promise<void> = Promise.resolve(),
): RunningAgent {
  const client = createClient({ url: server.url, token: apiKey, agent: { handle }, log: () => {} });
  const ends = new AbortController();
  const working = client.workTasks({
    queues: [handle],
    signal: ends.signal,
    handle: async () => {
      await mayComplete;
      return { output: { done: true } };
    },
  });
  return {
    stop: async () => {
      ends.abort();
      await working;
    },
  };
}
