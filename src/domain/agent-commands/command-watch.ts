import { sql } from "../../db/sql.ts";
import type { StoredEvent } from "../event-log/stored-event.ts";
import { createActorRecord } from "../kernel/actor.ts";
import { type Ctx, openCtx, systemCaller } from "../kernel/context.ts";
import type { LiveChannel } from "../kernel/live-channel.ts";
import { type CommandWaiter, createWaiter, takeNotified } from "./command-waiter.ts";
import { type CommandDelivery, deliverToAgents } from "./deliver-agent-commands.ts";
import { setTimeout as pause } from "node:timers/promises";

/** A caller that waits for an agent's commands on this node. */
export type Watcher = Pick<CommandWaiter, "next"> & { leave: () => void };

type Watch = {
  /** By agent id. */
  waiting: Map<string, Set<CommandWaiter>>;
  /** The last event that was processed. */
  cursor: number | null;
  /** Ends the pause between two deliveries. */
  wake: () => void;
  /** Never rejects. */
  following: Promise<void> | null;
};

/** Some commands become due without an event, so the database is polled this often. */
const LOOK_EVERY_MS = 1000;
/** The least interval. Under load, one statement delivers the commands of many commits. */
const GAP_MS = 3;

/** Keyed by the live channel, because tests run several nodes in one process. */
const NODES = new WeakMap<LiveChannel, Map<string, Watch>>();

/**
 * Starts to wait for an agent's commands. One statement per workspace delivers to all agents that wait on
 * this node.
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

/** Runs while there are waiters. */
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

/**
 * Notifies the waiters for which the node's new events may have made something due. @returns false if the
 * node does not have all events.
 */
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

/** Makes the node keep the workspace's events for the next look. Failures are retried. */
async function openFeed({ services, workspaceId }: Ctx): Promise<void> {
  await services.live.waitForEvents(workspaceId, -1, { afterMs: 0 }).catch(() => {});
}

/** Notifies the waiters for which something is due, for any reason. */
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
    services.log.debug({ err: error }, "due commands can't be read at the moment");
    await pause(LOOK_EVERY_MS);
  }
}

function notifyWaiters({ waiting }: Watch, agentId: string): void {
  for (const waiter of waiting.get(agentId) ?? []) waiter.isNotified = true;
}

/**
 * Notifies the waiters that ask for redelivery: an earlier delivery may have gone to a closed connection,
 * here or on another node.
 */
function notifyForRedelivery({ waiting }: Watch, agentId: string): void {
  for (const waiter of waiting.get(agentId) ?? []) if (isForRedelivery(waiter)) waiter.isNotified = true;
}

function isForRedelivery({ asked }: CommandWaiter): boolean {
  return asked.redeliver === true;
}

/** Delivers to one waiter of each agent, in turn. */
async function deliverTo(ctx: Ctx, waiters: readonly CommandWaiter[]): Promise<void> {
  const asked = waiters.map((waiter) => waiter.asked);
  try {
    const delivered = await deliverToAgents(ctx, asked);
    for (const waiter of waiters) waiter.settle(delivered.get(waiter.asked.agentId) ?? []);
  } catch (error) {
    for (const waiter of waiters) waiter.fail(error);
  }
}

/** Waits for new events, another waiter or the time-out. */
async function waitForChange({ services, workspaceId }: Ctx, watch: Watch, timeoutMs: number): Promise<void> {
  const woken = new Promise<void>((resolve) => (watch.wake = resolve));
  // If the feed can't be opened, it is retried.
  const change = services.live
    .waitForEvents(workspaceId, watch.cursor ?? 0, { afterMs: timeoutMs })
    .catch(() => pause(timeoutMs));
  await Promise.race([change, woken]);
}

/**
 * Selects the agents with a due command: queued and not too early or, for redelivery, delivered and not
 * acknowledged.
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

/** Statuses of commands that finished unacknowledged: the next command becomes due. */
const NOT_ACKNOWLEDGED: ReadonlySet<unknown> = new Set(["rejected", "expired", "canceled"]);

/** Whether an event may have made a command of its agent due. */
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
