import { sql } from "../../db/sql.ts";
import type { StoredEvent } from "../event-log/stored-event.ts";
import { createActorRecord } from "../kernel/actor.ts";
import { type Ctx, openCtx, systemCaller } from "../kernel/context.ts";
import type { LiveChannel } from "../kernel/live-channel.ts";
import { type CommandWaiter, createWaiter, takeNotified } from "./command-waiter.ts";
import { type CommandDelivery, deliverToAgents } from "./deliver-agent-commands.ts";
import { setTimeout as pause } from "node:timers/promises";

/** One who waits for an agent's commands on this node. */
export type Watcher = Pick<CommandWaiter, "next"> & { leave: () => void };

type Watch = {
  /** By agent. */
  waiting: Map<string, Set<CommandWaiter>>;
  /** The newest event that was looked at. */
  cursor: number | null;
  /** Ends the rest between two looks. */
  wake: () => void;
  /** Never fails. */
  following: Promise<void> | null;
};

/** Time passes without an event: every so often what has become due by it is looked for. */
const LOOK_EVERY_MS = 1000;
/** Between looks: under load one statement delivers what many commits made due. */
const GAP_MS = 3;

/** By what tells of new events: each node of a test has its own. */
const NODES = new WeakMap<LiveChannel, Map<string, Watch>>();

/**
 * Begins to wait for an agent's commands. However many agents wait on a node, one statement for each workspace
 * delivers what has become due for all of them.
 */
export function watchCommands(ctx: Ctx, delivery: CommandDelivery): Watcher {
  const watch = getWatch(ctx);
  const waiter = createWaiter({ ...delivery, by: createActorRecord(ctx.actor), now: ctx.now }, () =>
    watch.wake(),
  );
  const waiters = watch.waiting.get(delivery.agentId) ?? new Set();
  watch.waiting.set(delivery.agentId, waiters.add(waiter));
  watch.following ??= follow(ctx, watch);
  return {
    next: waiter.next,
    leave: () => {
      waiters.delete(waiter);
      if (waiters.size === 0) watch.waiting.delete(delivery.agentId);
    },
  };
}

function getWatch(ctx: Ctx): Watch {
  const { live } = ctx.services;
  const watches = NODES.get(live) ?? new Map<string, Watch>();
  NODES.set(live, watches);
  const watch = watches.get(ctx.workspaceId) ?? {
    waiting: new Map(),
    cursor: null,
    wake: () => {},
    following: null,
  };
  watches.set(ctx.workspaceId, watch);
  return watch;
}

/** Runs until nobody waits. */
async function follow({ services, workspaceId }: Ctx, watch: Watch): Promise<void> {
  const ctx = openCtx(services, systemCaller(workspaceId, "commands"));
  let lookAtMs = 0;
  while (watch.waiting.size > 0) {
    if (!readNewEvents(ctx, watch) || performance.now() >= lookAtMs) {
      await openFeed(ctx);
      lookAtMs = performance.now() + LOOK_EVERY_MS;
      await notifyDueWaiters(ctx, watch);
    }
    const notified = [...watch.waiting.values()].flatMap((waiters) => takeNotified(waiters) ?? []);
    await (notified.length > 0
      ? deliverTo(ctx, notified)
      : waitForChange(ctx, watch, lookAtMs - performance.now()));
    await pause(GAP_MS);
  }
  NODES.get(services.live)?.delete(workspaceId);
}

/** Tells those for whom the node's new events may have made something due. @returns false where it does not have all of them. */
function readNewEvents({ services, workspaceId }: Ctx, watch: Watch): boolean {
  const events = watch.cursor === null ? null : services.live.getHeldEvents(workspaceId, watch.cursor);
  if (events === null) return false;
  for (const event of events) {
    if (canMakeCommandDue(event)) notifyWaiters(watch, event.agentId ?? "");
    if (event.type === "agent_command.delivered") notifyForRedelivery(watch, event.agentId ?? "");
  }
  watch.cursor = events.at(-1)?.seq ?? watch.cursor;
  return true;
}

/** Has the node hold the workspace's events, so that the next look is at them. One that can't be opened is tried again. */
async function openFeed({ services, workspaceId }: Ctx): Promise<void> {
  await services.live.waitForEvents(workspaceId, -1, { afterMs: 0 }).catch(() => {});
}

/** Tells those for whom something is due, whatever made it so. */
async function notifyDueWaiters(ctx: Ctx, watch: Watch): Promise<void> {
  const { read, workspaceId, services } = ctx;
  try {
    const agents = [...watch.waiting.keys()];
    const again = agents.map((id) => [...(watch.waiting.get(id) ?? [])].some(isForRedelivery));
    const values = [workspaceId, agents, again];
    const [found] = await read(DUE, values);
    if (found === undefined) return;
    watch.cursor = Number(found.seq);
    for (const agentId of found.agents) notifyWaiters(watch, agentId);
  } catch (error) {
    services.log.debug({ err: error }, "commands can't be looked for at this moment");
    await pause(LOOK_EVERY_MS);
  }
}

function notifyWaiters({ waiting }: Watch, agentId: string): void {
  for (const waiter of waiting.get(agentId) ?? []) waiter.isNotified = true;
}

/**
 * Tells those who want what was delivered before: it may have gone to a connection of theirs, here or at another
 * node, that nobody reads any more.
 */
function notifyForRedelivery({ waiting }: Watch, agentId: string): void {
  for (const waiter of waiting.get(agentId) ?? []) if (isForRedelivery(waiter)) waiter.isNotified = true;
}

function isForRedelivery({ asked }: CommandWaiter): boolean {
  return asked.redeliver === true;
}

/** One of each agent's at a time, in turn, gets what there is for it. */
async function deliverTo(ctx: Ctx, waiters: readonly CommandWaiter[]): Promise<void> {
  const asked = waiters.map((waiter) => waiter.asked);
  try {
    const delivered = await deliverToAgents(ctx, asked);
    for (const waiter of waiters) waiter.settle(delivered.get(waiter.asked.agentId) ?? []);
  } catch (error) {
    for (const waiter of waiters) waiter.fail(error);
  }
}

/** Rests until there are new events, somebody else waits, or the time is over. */
async function waitForChange({ services, workspaceId }: Ctx, watch: Watch, timeoutMs: number): Promise<void> {
  const woken = new Promise<void>((resolve) => (watch.wake = resolve));
  // A feed that can't be opened now is looked for again.
  const change = services.live
    .waitForEvents(workspaceId, watch.cursor ?? 0, { afterMs: timeoutMs })
    .catch(() => pause(timeoutMs));
  await Promise.race([change, woken]);
}

/**
 * Those of these agents for whom something is queued whose time has come, or, where it is to be delivered again, was
 * delivered and is not acknowledged.
 */
export const DUE = sql<{ seq: bigint; agents: string[] }>`
SELECT h.seq, ARRAY(
  SELECT a.id::text FROM unnest($2::uuid[], $3::boolean[]) AS a(id, again) WHERE EXISTS (
    SELECT 1 FROM agent_command c
    WHERE c.workspace_id = $1::uuid AND c.agent_id = a.id AND c.status = 'queued'
      AND (c.not_before IS NULL OR c.not_before <= now())
  ) OR a.again AND EXISTS (
    SELECT 1 FROM agent_command c
    WHERE c.workspace_id = $1::uuid AND c.agent_id = a.id AND c.status = 'delivered' AND c.expires_at > now())
) AS agents
FROM workspace_head h WHERE h.workspace_id = $1::uuid`;

/** The ends of a command that had not been acknowledged: what stands behind it may come. */
const NOT_ACKNOWLEDGED: ReadonlySet<unknown> = new Set(["rejected", "expired", "canceled"]);

/** Whether what an event tells of may have made a command of its agent's due. */
function canMakeCommandDue({ type, data }: Pick<StoredEvent, "type" | "data">): boolean {
  switch (type) {
    case "agent_command.created":
    case "agent_command.acknowledged":
      return true;
    case "agent_command.updated":
      return getStatus(data) === "queued";
    case "agent_command.finished":
      return NOT_ACKNOWLEDGED.has(getStatus(data));
    default:
      return false;
  }
}

function getStatus(data: unknown): unknown {
  return typeof data === "object" && data !== null && "status" in data ? data.status : null;
}
