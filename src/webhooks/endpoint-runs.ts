import { groupBy } from "../domain/kernel/group-by.ts";
import type { RunEndpoint } from "./run-endpoint.ts";
import { type HeldEndpoint, LEASE_SECONDS, MOST_OF_WORKSPACE, RENEW } from "./endpoint-statements.ts";
import type { WebhookServices } from "./webhook-services.ts";

/** An endpoint that this node sends to. */
type Run = {
  workspaceId: string;
  token: string;
  lease: AbortController;
  /** When this node must stop, unless it has renewed its lease. */
  endsAtMs: number;
  done: Promise<void>;
};

/** The endpoints that this node sends to. */
export type EndpointRuns = {
  /** Sends to an endpoint that was taken with a token, after `askedAtMs`. */
  start: (endpoint: HeldEndpoint, taken: { token: string; askedAtMs: number }) => void;
  count: () => number;
  countOf: (workspaceId: string) => number;
  /** How many there are of each workspace that has some. */
  countByWorkspace: () => Map<string, number>;
  renew: () => Promise<void>;
  /** Ends those whose lease was not renewed in time. */
  endLate: () => void;
  /** Ends all of them, and those that are started later. */
  stop: () => Promise<void>;
};

/** Endpoints that a node sends to at once. */
export const MOST_RUNS = 500;

/** Ends a second before another node may take the endpoint. */
const HOLD_MS = (LEASE_SECONDS - 1) * 1000;

type Hooks = {
  run: RunEndpoint;
  /** Told of the workspace, and whether the endpoint must be looked at again at once. */
  onEnd: (workspaceId: string, isAgain: boolean) => void;
  /** How many endpoints a workspace has. */
  countAll: (workspaceId: string) => number;
};

export function createEndpointRuns(services: WebhookServices, { run, onEnd, countAll }: Hooks): EndpointRuns {
  const runs = new Map<string, Run>();
  let isStopped = false;

  /** Whether others may wait for a place: then none is kept without news. */
  function isCrowded(workspaceId: string): boolean {
    return countAll(workspaceId) > MOST_OF_WORKSPACE || runs.size > MOST_RUNS / 2;
  }

  async function runToEnd(endpoint: HeldEndpoint, token: string, signal: AbortSignal): Promise<void> {
    const { workspaceId, id } = endpoint;
    let isAgain = false;
    try {
      isAgain = await run(services, endpoint, { token, signal, isCrowded: () => isCrowded(workspaceId) });
    } catch (error) {
      const named = { err: error, workspaceId, endpointId: id };
      services.log.warn(named, "sending to a webhook failed and will be retried");
    }
    runs.delete(id);
    onEnd(workspaceId, isAgain);
  }

  return {
    start: (endpoint, { token, askedAtMs }) => {
      if (runs.has(endpoint.id)) return;
      const lease = new AbortController();
      if (isStopped) lease.abort();
      const { workspaceId } = endpoint;
      const done = runToEnd(endpoint, token, lease.signal);
      runs.set(endpoint.id, { workspaceId, token, lease, endsAtMs: askedAtMs + HOLD_MS, done });
    },
    count: () => runs.size,
    countOf: (workspaceId) => [...runs.values()].filter((one) => one.workspaceId === workspaceId).length,
    countByWorkspace: () => {
      const ofWorkspaces = groupBy([...runs.values()], ({ workspaceId }) => workspaceId);
      return new Map([...ofWorkspaces].map(([id, own]) => [id, own.length]));
    },
    renew: () => renew(services, runs),
    endLate: () => {
      for (const { endsAtMs, lease } of runs.values()) if (endsAtMs <= performance.now()) lease.abort();
    },
    stop: async () => {
      isStopped = true;
      for (const { lease } of runs.values()) lease.abort();
      await Promise.all([...runs.values()].map(({ done }) => done));
    },
  };
}

async function renew({ database }: WebhookServices, runs: ReadonlyMap<string, Run>): Promise<void> {
  const held = [...runs];
  if (held.length === 0) return;
  const askedAtMs = performance.now();
  const kept = await database.run(RENEW, [
    held.map(([, { workspaceId }]) => workspaceId),
    held.map(([id]) => id),
    held.map(([, { token }]) => token),
  ]);
  const ids = new Set(kept.map(({ id }) => id));
  for (const [id, run] of held) {
    if (ids.has(id)) run.endsAtMs = askedAtMs + HOLD_MS;
    else run.lease.abort();
  }
}
