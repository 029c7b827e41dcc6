import { randomUUID } from "node:crypto";
import { repeat } from "../domain/sweeps/repeat.ts";
import { createPullLoop } from "../live/pull-loop.ts";
import { type EndpointRuns, MOST_RUNS, createEndpointRuns } from "./endpoint-runs.ts";
import { type HeldEndpoint, KNOWN, MOST_OF_WORKSPACE, TAKE } from "./endpoint-statements.ts";
import { runEndpoint } from "./run-endpoint.ts";
import type { WebhookServices } from "./webhook-services.ts";

/** How often endpoints are looked for of which no commit tells: those with a retry, or of a node that ended. */
const SWEEP_MS = 1000;
const RENEW_MS = 3000;
const WATCH_MS = 250;
/** How long commits of a workspace are ignored where another node was faster. */
const QUIET_MS = 1000;

/**
 * Sends events to webhook endpoints. Any number of nodes may do so at once: an endpoint is leased by one of them, and
 * by another one soon after that one has ended.
 */
export function startWebhookDelivery(services: WebhookServices): { stop: () => Promise<void> } {
  const { live } = services;
  const taker = createTaker(services);
  const loops = [
    repeatWork(services, {
      name: "webhooks",
      everyMs: SWEEP_MS,
      run: taker.sweep,
      failure: "webhooks could not be looked for",
    }),
    repeatWork(services, {
      name: "webhook_leases",
      everyMs: RENEW_MS,
      run: taker.runs.renew,
      failure: "leases of webhooks could not be renewed",
    }),
  ];
  // Also where the database can't be asked.
  const watch = setInterval(taker.runs.endLate, WATCH_MS);
  live.onCommit(taker.wake);
  return {
    stop: async () => {
      await Promise.all([taker.stop(), ...loops.map((loop) => loop.stop())]);
      clearInterval(watch);
    },
  };
}

type Work = { name: string; everyMs: number; run: () => Promise<void>; failure: string };

function repeatWork(services: WebhookServices, { run, ...work }: Work): { stop: () => Promise<void> } {
  async function runOnce(): Promise<boolean> {
    await run();
    return false;
  }
  return repeat(services, { ...work, startsAtOnce: true, run: runOnce });
}

/** Takes endpoints for this node. */
type Taker = {
  runs: EndpointRuns;
  /** Takes those of all workspaces. */
  sweep: () => Promise<void>;
  /** Takes those of workspaces with new events soon. */
  wake: (workspaceIds: readonly string[] | "all") => void;
  stop: () => Promise<unknown>;
};

function createTaker(services: WebhookServices): Taker {
  const { database, log } = services;
  const runs = createEndpointRuns(services, { run: runEndpoint, onEnd, countAll });
  const quietUntilMs = new Map<string, number>();
  const loop = createPullLoop(takeOf, log);
  let known = new Map<string, number>();
  let taking: Promise<unknown> = Promise.resolve();

  async function takeOf(workspaceIds: ReadonlySet<string>): Promise<void> {
    const taken = await take([...workspaceIds]);
    const served = new Set(taken.map(({ workspaceId }) => workspaceId));
    for (const id of workspaceIds) {
      if (!served.has(id)) quietUntilMs.set(id, performance.now() + QUIET_MS);
    }
  }

  /** One at a time, since each counts what others took. */
  function take(workspaceIds: readonly string[] | null): Promise<HeldEndpoint[]> {
    const taken = taking.then(() => takeNow(workspaceIds));
    taking = taken.catch(() => {});
    return taken;
  }

  async function takeNow(workspaceIds: readonly string[] | null): Promise<HeldEndpoint[]> {
    const room = Math.max(0, MOST_RUNS - runs.count());
    const lease = { token: randomUUID(), askedAtMs: performance.now() };
    const held = runs.countByWorkspace();
    const values = [workspaceIds, room, lease.token, [...held.keys()], [...held.values()]];
    const taken = await database.run(TAKE, values);
    for (const endpoint of taken) runs.start(endpoint, lease);
    return taken;
  }

  function onEnd(workspaceId: string, isAgain: boolean): void {
    if (isAgain) quietUntilMs.delete(workspaceId);
    wake([workspaceId]);
  }

  function countAll(workspaceId: string): number {
    return known.get(workspaceId) ?? 0;
  }

  /** Endpoints that this node sends to look for news themselves, and there is no room for more than some. */
  function mayHaveNews(workspaceId: string): boolean {
    if ((quietUntilMs.get(workspaceId) ?? 0) > performance.now()) return false;
    return runs.countOf(workspaceId) < Math.min(countAll(workspaceId), MOST_OF_WORKSPACE);
  }

  function wake(workspaceIds: readonly string[] | "all"): void {
    loop.wake((workspaceIds === "all" ? [...known.keys()] : workspaceIds).filter(mayHaveNews));
  }

  async function sweep(): Promise<void> {
    const rows = await database.run(KNOWN, []);
    known = new Map(rows.map(({ workspaceId, count }) => [workspaceId, count]));
    for (const [id, untilMs] of quietUntilMs) if (untilMs <= performance.now()) quietUntilMs.delete(id);
    if (rows.length > 0) await take(null);
  }

  return { runs, sweep, wake, stop: () => Promise.all([loop.stop(), runs.stop()]) };
}
