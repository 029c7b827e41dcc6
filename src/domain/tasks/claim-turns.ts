import { NOW, buildStatement } from "../../db/sql.ts";
import type { StoredEvent } from "../event-log/stored-event.ts";
import { type Ctx, openCtx, systemCaller } from "../kernel/context.ts";
import { endInTurn } from "../kernel/end-in-turn.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { LiveChannel } from "../kernel/live-channel.ts";
import { isStoppedSql } from "../stops/is-stopped.ts";
import { setImmediate, setTimeout as pause } from "node:timers/promises";

/** What a claim waits for, until when by `performance.now()`, and what else ends it. */
export type ClaimWait = {
  agentId: string;
  queues: readonly string[];
  untilMs: number;
  ends: readonly AbortSignal[];
};

/** The right to look for one new task. */
type Turn = { queue: string; agentId: string | null; tried: Set<Waiter> };

type Waiter = Pick<ClaimWait, "agentId" | "queues"> & {
  turn: Turn | null;
  /** Starts its turn; null while it looks for a task. */
  wake: (() => void) | null;
};

type Watch = {
  /** In the order of their arrival, those that found nothing in a turn last. */
  waiters: Set<Waiter>;
  /** Turns for waiters that are looking for a task, perhaps since before it was there. */
  pending: Turn[];
  /** The last event that was processed. */
  cursor: number | null;
  /** Never rejects. */
  following: Promise<void> | null;
};

/** Some tasks become ready without an event, so the database is asked this often. */
const LOOK_EVERY_MS = 1000;
/** How many waiters try a turn. After that, the next look gives another. */
const MOST_TRIES = 8;

/** Keyed by the live channel, because tests run several nodes in one process. */
const NODES = new WeakMap<LiveChannel, Map<string, Watch>>();

/**
 * Calls `claim` at once and then in the caller's turns: each new task of the workspace wakes one of those
 * that wait for its queue on this node. Whoever finds nothing passes the turn on.
 *
 * @returns what was claimed, or null at the end.
 */
export async function claimInTurn<Claimed>(
  ctx: Ctx,
  wait: ClaimWait,
  claim: () => Promise<Claimed | null>,
): Promise<Claimed | null> {
  const watch = getWatch(ctx);
  const waiter: Waiter = { agentId: wait.agentId, queues: wait.queues, turn: null, wake: null };
  watch.waiters.add(waiter);
  watch.following ??= follow(ctx, watch);
  try {
    do {
      const claimed = await claim();
      if (claimed !== null) {
        waiter.turn = null;
        return claimed;
      }
      if (waiter.turn !== null) {
        watch.waiters.delete(waiter);
        watch.waiters.add(waiter);
      }
      passOn(watch, waiter);
    } while (await waitForTurn(watch, waiter, wait));
    return null;
  } finally {
    watch.waiters.delete(waiter);
    passOn(watch, waiter);
  }
}

function getWatch({ services: { live }, workspaceId }: Ctx): Watch {
  const watches = NODES.get(live) ?? new Map<string, Watch>();
  NODES.set(live, watches);
  const watch = watches.get(workspaceId) ?? {
    waiters: new Set(),
    pending: [],
    cursor: null,
    following: null,
  };
  watches.set(workspaceId, watch);
  return watch;
}

/** @returns false at the end of the wait. */
async function waitForTurn(watch: Watch, waiter: Waiter, { untilMs, ends }: ClaimWait): Promise<boolean> {
  if (performance.now() >= untilMs || ends.some(({ aborted }) => aborted)) return false;
  const at = watch.pending.findIndex((turn) => canTake(turn, waiter));
  const [turn] = at < 0 ? [] : watch.pending.splice(at, 1);
  if (turn !== undefined) {
    start(turn, waiter);
    return true;
  }
  const over = new AbortController();
  try {
    await new Promise<void>((resolve) => {
      waiter.wake = resolve;
      const timer = setTimeout(resolve, untilMs - performance.now());
      over.signal.addEventListener("abort", () => clearTimeout(timer));
      function end(): void {
        // It gets no turn any more.
        waiter.wake = null;
        endInTurn(resolve);
      }
      for (const one of ends) one.addEventListener("abort", end, { signal: over.signal });
    });
  } finally {
    over.abort();
    waiter.wake = null;
  }
  return waiter.turn !== null && !ends.some(({ aborted }) => aborted);
}

function canTake({ queue, agentId, tried }: Turn, waiter: Waiter): boolean {
  return (
    waiter.queues.includes(queue) && (agentId === null || agentId === waiter.agentId) && !tried.has(waiter)
  );
}

function start(turn: Turn, waiter: Waiter): void {
  turn.tried.add(waiter);
  waiter.turn = turn;
  waiter.wake?.();
  waiter.wake = null;
}

function passOn(watch: Watch, waiter: Waiter): void {
  const { turn } = waiter;
  waiter.turn = null;
  if (turn !== null && turn.tried.size < MOST_TRIES) giveTurn(watch, turn);
}

/** Gives a turn to the first free waiter, or to the first that becomes free. */
function giveTurn({ waiters, pending }: Watch, turn: Turn): void {
  let isAwaited = false;
  for (const waiter of waiters) {
    if (!canTake(turn, waiter)) continue;
    if (waiter.wake !== null) return start(turn, waiter);
    isAwaited = true;
  }
  if (isAwaited && pending.length < waiters.size) pending.push(turn);
}

/** Runs while there are waiters. */
async function follow({ services, workspaceId, now }: Ctx, watch: Watch): Promise<void> {
  const ctx = openCtx(services, systemCaller(workspaceId, "tasks"), now);
  const { live } = services;
  let lookAtMs = 0;
  // When the server stops, waits for events end at once.
  while (watch.waiters.size > 0 && services.stopping?.aborted !== true) {
    const events = watch.cursor === null ? null : live.getHeldEvents(workspaceId, watch.cursor);
    for (const event of events ?? []) giveTurnsFor(watch, event);
    watch.cursor = events?.at(-1)?.seq ?? watch.cursor;
    if (events === null || performance.now() >= lookAtMs) {
      // Makes the node keep the workspace's events.
      await live.waitForEvents(workspaceId, -1, { afterMs: 0 }).catch(() => {});
      lookAtMs = performance.now() + LOOK_EVERY_MS;
      const isKnown = await giveTurnsForReady(ctx, watch);
      // Without a place to follow the events from, waiting for them would end at once.
      if (!isKnown && events === null) await pause(LOOK_EVERY_MS);
    }
    const afterMs = Math.max(0, lookAtMs - performance.now());
    // If the feed can't be opened, it is retried.
    await live.waitForEvents(workspaceId, watch.cursor ?? 0, { afterMs }).catch(() => pause(afterMs));
    // Even if that ended at once, others get their turn.
    await setImmediate();
  }
  NODES.get(live)?.delete(workspaceId);
}

function giveTurnsFor(watch: Watch, { subjectType, agentId, data }: StoredEvent): void {
  if (subjectType !== "task" || typeof data !== "object" || data === null) return;
  const { status, queue } = data as { status?: unknown; queue?: unknown };
  if (status !== "submitted" || typeof queue !== "string") return;
  giveTurn(watch, { queue, agentId: null, tried: new Set() });
  // The task may be assigned to it.
  if (agentId !== null) giveTurn(watch, { queue, agentId, tried: new Set() });
}

/** Gives turns for all tasks that are ready, and starts to follow the events from there. @returns false if it can't. */
async function giveTurnsForReady(ctx: Ctx, watch: Watch): Promise<boolean> {
  const pairs = new Map(
    [...watch.waiters].flatMap(({ agentId, queues }) =>
      queues.map((queue) => [`${agentId} ${queue}`, [agentId, queue]] as const),
    ),
  );
  const [agents, queues] = [0, 1].map((at) => [...pairs.values()].map((pair) => pair[at]));
  try {
    const [found] = await ctx.read(READY, [ctx.workspaceId, agents, queues]);
    if (found === undefined) return false;
    watch.cursor = Math.max(watch.cursor ?? 0, Number(found.seq));
    // Those for tasks that are still there are given again.
    watch.pending.length = 0;
    for (const { queue, agentId } of found.ready) giveTurn(watch, { queue, agentId, tried: new Set() });
    return true;
  } catch (error) {
    ctx.services.log.debug({ err: error }, "ready tasks can't be read at the moment");
    return false;
  }
}

type Ready = { seq: bigint; ready: { queue: string; agentId: string | null }[] };

const LEVELS = `generate_series(${LIMITS.priority.min}, ${LIMITS.priority.max}) AS level(priority)`;

const IS_ACTIVE = `agent.control_state = 'active' AND agent.archived_at IS NULL AND NOT ${isStoppedSql("agent")}`;
/** Whether any of the agents may claim at the moment. */
const CAN_CLAIM = `EXISTS (SELECT 1 FROM agent WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[]) AND ${IS_ACTIVE})`;

function listReady(assignee: string, { queue, limit }: { queue: string; limit: number }): string {
  return `SELECT 1 FROM task
    WHERE workspace_id = $1::uuid AND status = 'submitted' AND ${assignee} AND queue = ${queue}
      AND priority = level.priority AND COALESCE(run_after, created_at) <= ${NOW}
    ORDER BY COALESCE(run_after, created_at), id LIMIT ${limit}`;
}

/** Selects a workspace's ready tasks for these agents and queues: at most some of each queue and priority. */
export const READY = buildStatement<Ready>(
  "ready_tasks",
  `
SELECT h.seq, ARRAY(
  SELECT jsonb_build_object('queue', q.queue, 'agentId', NULL)
  FROM (SELECT DISTINCT queue FROM unnest($3::text[]) AS asked(queue)) q CROSS JOIN ${LEVELS}
  CROSS JOIN LATERAL (${listReady("assignee_agent_id IS NULL", { queue: "q.queue", limit: 16 })}) task
  WHERE ${CAN_CLAIM}
  UNION ALL
  SELECT jsonb_build_object('queue', a.queue, 'agentId', a.id)
  FROM unnest($2::uuid[], $3::text[]) AS a(id, queue)
  JOIN agent ON agent.workspace_id = $1::uuid AND agent.id = a.id AND ${IS_ACTIVE} CROSS JOIN ${LEVELS}
  CROSS JOIN LATERAL (${listReady("assignee_agent_id = a.id", { queue: "a.queue", limit: 1 })}) task
  WHERE ${CAN_CLAIM}
) AS ready
FROM workspace_head h WHERE h.workspace_id = $1::uuid`,
);
