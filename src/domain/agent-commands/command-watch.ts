import { setTimeout as pause } from "node:timers/promises";
import type { Ctx } from "../context.ts";
import type { LiveChannel } from "../live-channel.ts";

/** One who waits for an agent's commands on this node. */
export type Watcher = {
  /** Resolves when something may be due since this was last asked, or when the time is over or the signal given. */
  news: (timeoutMs: number, signals: readonly AbortSignal[]) => Promise<void>;
  leave: () => void;
};

type Watch = {
  waiting: Map<string, Set<() => void>>;
  cursor: bigint | null;
  /** Never fails. */
  following: Promise<void> | null;
};

/** Time passes without an event: every so often what has become due by it is looked for. */
const LOOK_EVERY_MS = 1000;
/** Between looks: under load one look sees what many commits wrote. */
const GAP_MS = 3;

/** By what tells of new events: each node of a test has its own. */
const NODES = new WeakMap<LiveChannel, Map<string, Watch>>();

/**
 * Begins to wait for an agent's commands. However many wait on a node, one statement for each workspace
 * finds those of them for whom something may be due.
 */
export function watchCommands(ctx: Ctx, agentId: string): Watcher {
  const watch = watchOf(ctx);
  let hasNews = false;
  let wake: (() => void) | null = null;
  function told(): void {
    hasNews = true;
    wake?.();
  }
  const waiters = watch.waiting.get(agentId) ?? new Set();
  watch.waiting.set(agentId, waiters.add(told));
  watch.following ??= follow(ctx, watch);
  return {
    news: async (timeoutMs, signals) => {
      if (!hasNews) await until(timeoutMs, signals, (resolve) => (wake = resolve));
      hasNews = false;
    },
    leave: () => {
      waiters.delete(told);
      if (waiters.size === 0) watch.waiting.delete(agentId);
    },
  };
}

async function until(
  timeoutMs: number,
  signals: readonly AbortSignal[],
  begin: (resolve: () => void) => void,
): Promise<void> {
  const over = new AbortController();
  await new Promise<void>((resolve) => {
    begin(resolve);
    const timer = setTimeout(resolve, timeoutMs);
    over.signal.addEventListener("abort", () => clearTimeout(timer));
    for (const signal of signals) {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { signal: over.signal });
    }
  });
  over.abort();
}

function watchOf(ctx: Ctx): Watch {
  const { live } = ctx.services;
  const watches = NODES.get(live) ?? new Map<string, Watch>();
  NODES.set(live, watches);
  const watch = watches.get(ctx.workspaceId) ?? { waiting: new Map(), cursor: null, following: null };
  watches.set(ctx.workspaceId, watch);
  return watch;
}

/** Runs until nobody waits. Whoever came before it began to follow looks once more. */
async function follow(ctx: Ctx, watch: Watch): Promise<void> {
  const { workspaceId, services } = ctx;
  let lookAtMs = 0;
  while (watch.waiting.size > 0) {
    const isTime = performance.now() >= lookAtMs;
    if (isTime) lookAtMs = performance.now() + LOOK_EVERY_MS;
    try {
      await look(ctx, watch, isTime);
      await services.live.waitForEvents(workspaceId, Number(watch.cursor), lookAtMs - performance.now());
    } catch (error) {
      services.log.debug({ err: error }, "commands can't be looked for at this moment");
      await pause(LOOK_EVERY_MS);
    }
    await pause(GAP_MS);
  }
  NODES.get(services.live)?.delete(workspaceId);
}

async function look(ctx: Ctx, watch: Watch, isTime: boolean): Promise<void> {
  const { cursor } = watch;
  const agentIds = [...watch.waiting.keys()];
  const statement = isTime || cursor === null ? DUE : TOLD;
  const values = [ctx.workspaceId, agentIds, ...(statement === DUE ? [ctx.now] : [cursor])];
  const [found] = await ctx.read<{ seq: bigint; agents: string[] }>(statement, values);
  if (found === undefined) return;
  watch.cursor = found.seq;
  // Without a cursor before there may have been news that nobody was told.
  const due = cursor === null ? agentIds : found.agents;
  for (const agentId of due) for (const told of watch.waiting.get(agentId) ?? []) told();
}

/** Those of these agents of whose commands something was told that may have made one due. */
const TOLD = {
  name: "agent_command_told",
  text: `
SELECT h.seq, ARRAY(
  SELECT DISTINCT e.agent_id::text FROM event e
  WHERE e.workspace_id = $1::uuid AND e.seq > $3::bigint AND e.subject_type = 'agent_command'
    AND e.type <> 'agent_command.delivered' AND e.agent_id = ANY($2::uuid[])
    AND EXISTS (
      SELECT 1 FROM agent_command c
      WHERE c.workspace_id = $1::uuid AND c.agent_id = e.agent_id AND c.status = 'queued')
) AS agents
FROM workspace_head h WHERE h.workspace_id = $1::uuid`,
};

/** Those of these agents for whom something is queued whose time has come. */
const DUE = {
  name: "agent_command_due",
  text: `
SELECT h.seq, ARRAY(
  SELECT a.id::text FROM unnest($2::uuid[]) AS a(id) WHERE EXISTS (
    SELECT 1 FROM agent_command c
    WHERE c.workspace_id = $1::uuid AND c.agent_id = a.id AND c.status = 'queued'
      AND (c.not_before IS NULL OR c.not_before <= COALESCE($3::timestamptz, now())))
) AS agents
FROM workspace_head h WHERE h.workspace_id = $1::uuid`,
};
