import { setTimeout as pause } from "node:timers/promises";
import { recordOf } from "../actor.ts";
import { type Ctx, openCtx, systemCaller } from "../context.ts";
import type { LiveChannel } from "../live-channel.ts";
import { type Waiter, createWaiter, takeTold } from "./command-waiter.ts";
import { type Delivery, deliverToAgents } from "./deliver-agent-commands.ts";
import { makesCommandDue } from "./makes-command-due.ts";

/** One who waits for an agent's commands on this node. */
export type Watcher = Pick<Waiter, "next"> & { leave: () => void };

type Watch = {
  /** By agent. */
  waiting: Map<string, Set<Waiter>>;
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
export function watchCommands(ctx: Ctx, delivery: Delivery): Watcher {
  const watch = watchOf(ctx);
  const waiter = createWaiter({ ...delivery, by: recordOf(ctx.actor), now: ctx.now }, () => watch.wake());
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

function watchOf(ctx: Ctx): Watch {
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
    if (!hearNews(ctx, watch) || performance.now() >= lookAtMs) {
      await openFeed(ctx);
      lookAtMs = performance.now() + LOOK_EVERY_MS;
      await lookForDue(ctx, watch);
    }
    const told = [...watch.waiting.values()].flatMap((waiters) => takeTold(waiters) ?? []);
    await (told.length > 0 ? deliverTo(ctx, told) : rest(ctx, watch, lookAtMs - performance.now()));
    await pause(GAP_MS);
  }
  NODES.get(services.live)?.delete(workspaceId);
}

/** Tells those for whom the node's new events may have made something due. @returns false where it does not have all of them. */
function hearNews({ services, workspaceId }: Ctx, watch: Watch): boolean {
  const events = watch.cursor === null ? null : services.live.eventsHeld(workspaceId, watch.cursor);
  if (events === null) return false;
  for (const event of events) {
    if (makesCommandDue(event)) tell(watch, event.agentId ?? "");
    if (event.type === "agent_command.delivered") tellAgain(watch, event.agentId ?? "");
  }
  watch.cursor = events.at(-1)?.seq ?? watch.cursor;
  return true;
}

/** Has the node hold the workspace's events, so that the next look is at them. One that can't be opened is tried again. */
async function openFeed({ services, workspaceId }: Ctx): Promise<void> {
  await services.live.waitForEvents(workspaceId, -1, { afterMs: 0 }).catch(() => {});
}

/** Tells those for whom something is due, whatever made it so. */
async function lookForDue(ctx: Ctx, watch: Watch): Promise<void> {
  const { read, workspaceId, services } = ctx;
  try {
    const agents = [...watch.waiting.keys()];
    const again = agents.map((id) => [...(watch.waiting.get(id) ?? [])].some(isForAgain));
    const values = [workspaceId, agents, again];
    const [found] = await read<{ seq: bigint; agents: string[] }>(DUE, values);
    if (found === undefined) return;
    watch.cursor = Number(found.seq);
    for (const agentId of found.agents) tell(watch, agentId);
  } catch (error) {
    services.log.debug({ err: error }, "commands can't be looked for at this moment");
    await pause(LOOK_EVERY_MS);
  }
}

function tell({ waiting }: Watch, agentId: string): void {
  for (const waiter of waiting.get(agentId) ?? []) waiter.isTold = true;
}

/**
 * Tells those who want what was delivered before: it may have gone to a connection of theirs, here or at another
 * node, that nobody reads any more.
 */
function tellAgain({ waiting }: Watch, agentId: string): void {
  for (const waiter of waiting.get(agentId) ?? []) if (isForAgain(waiter)) waiter.isTold = true;
}

function isForAgain({ asked }: Waiter): boolean {
  return asked.redeliver === true;
}

/** One of each agent's at a time, in turn, gets what there is for it. */
async function deliverTo(ctx: Ctx, told: readonly Waiter[]): Promise<void> {
  const asked = told.map((waiter) => waiter.asked);
  try {
    const delivered = await deliverToAgents(ctx, asked);
    for (const waiter of told) waiter.settle(delivered.get(waiter.asked.agentId) ?? []);
  } catch (error) {
    for (const waiter of told) waiter.fail(error);
  }
}

/** Rests until there are new events, somebody else waits, or the time is over. */
async function rest({ services, workspaceId }: Ctx, watch: Watch, timeoutMs: number): Promise<void> {
  const woken = new Promise<void>((resolve) => (watch.wake = resolve));
  // A feed that can't be opened now is looked for again.
  const news = services.live
    .waitForEvents(workspaceId, watch.cursor ?? 0, { afterMs: timeoutMs })
    .catch(() => pause(timeoutMs));
  await Promise.race([news, woken]);
}

/**
 * Those of these agents for whom something is queued whose time has come, or, where it is to be delivered again, was
 * delivered and is not acknowledged.
 */
const DUE = {
  name: "agent_command_due_or_again",
  text: `
SELECT h.seq, ARRAY(
  SELECT a.id::text FROM unnest($2::uuid[], $3::boolean[]) AS a(id, again) WHERE EXISTS (
    SELECT 1 FROM agent_command c
    WHERE c.workspace_id = $1::uuid AND c.agent_id = a.id AND c.status = 'queued'
      AND (c.not_before IS NULL OR c.not_before <= now())
  ) OR a.again AND EXISTS (
    SELECT 1 FROM agent_command c
    WHERE c.workspace_id = $1::uuid AND c.agent_id = a.id AND c.status = 'delivered' AND c.expires_at > now())
) AS agents
FROM workspace_head h WHERE h.workspace_id = $1::uuid`,
};
