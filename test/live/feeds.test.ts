import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LiveDatabase, openLiveDatabase } from "../../src/db/notifications.ts";
import { toEventFilter } from "../../src/domain/event-log/event-filter.ts";
import { readStart } from "../../src/domain/event-log/read-start.ts";
import type { StoredEvent } from "../../src/domain/event-log/stored-event.ts";
import { cancelTask } from "../../src/domain/tasks/cancel-task.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { type Feeds, createFeeds } from "../../src/live/feeds.ts";
import { type LiveMetrics, createLiveMetrics } from "../../src/live/metrics.ts";
import type { SubscriptionFrame } from "../../src/live/subscription-frame.ts";
import { type Subscription, openSubscription } from "../../src/live/subscription.ts";
import { insertEvents } from "../support/event-log.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;
let database: LiveDatabase;
let feeds: Feeds;
let metrics: LiveMetrics;

beforeAll(async () => {
  world = await createWorld();
  database = openLiveDatabase(world.server.database.url, world.server.services.log);
});

afterAll(async () => {
  await database.close();
  await world.server.close();
});

beforeEach(() => {
  const { log } = world.server.services;
  metrics = createLiveMetrics();
  feeds = createFeeds(database, { log, metrics, clock: () => new Date() });
});

afterEach(() => feeds.stop());

/** A subscriber that records its frames and can be full. */
type Kept = {
  subscription: Subscription;
  frames: SubscriptionFrame[];
  outlet: { full: boolean };
  renders: () => number;
};

async function subscribe(types: string[] | null = null, key = "one"): Promise<Kept> {
  const start = await readStart(world.ctx, null);
  const frames: SubscriptionFrame[] = [];
  const outlet = { full: false };
  let renders = 0;
  const group = {
    key,
    filter: toEventFilter(world.ctx.actor, { types, subjectId: null }),
    rendering: {
      key,
      render: (frame: SubscriptionFrame) => {
        renders++;
        return Buffer.from(JSON.stringify(frame));
      },
    },
  };
  const request = { workspaceId: world.workspaceId, start, filter: group.filter };
  const subscription = openSubscription(request, group, {
    isFull: () => outlet.full,
    write: (bodies) => void frames.push(...bodies.map((body) => JSON.parse(body.toString()))),
  });
  await feeds.join(subscription);
  return { subscription, frames, outlet, renders: () => renders };
}

function kinds({ frames }: Kept): string[] {
  return frames.map(({ kind }) => kind);
}

describe("a feed", () => {
  it("renders each event once for identical subscriptions", async () => {
    const [first, ...others] = [await subscribe(), await subscribe(), await subscribe()];
    await createTask(world.ctx, { title: "For all" });
    feeds.wake([world.workspaceId]);
    for (const one of [first, ...others]) await expect.poll(() => kinds(one)).toEqual(["opened", "event"]);
    // Its own opening frame, and the shared event.
    expect(first.renders()).toBe(2);
    expect(others.map((other) => other.renders())).toEqual([1, 1]);
  });

  it("sends checkpoints only to subscribers that want none of the events", async () => {
    const [idle, busy] = [await subscribe(["mission.*"], "idle"), await subscribe(null, "busy")];
    await createTask(world.ctx, { title: "Not for everybody" });
    feeds.wake([world.workspaceId]);
    await expect.poll(() => kinds(busy)).toEqual(["opened", "event"]);
    for (let second = 0; second < 50; second++) feeds.tick(new Date());
    await expect.poll(() => kinds(idle)).toEqual(["opened", "checkpoint"]);
    expect(kinds(busy)).toEqual(["opened", "event"]);
    expect(idle.frames[1]).toMatchObject({ at: busy.subscription.at });
  });

  it("pauses a full subscriber, and resumes where it was", async () => {
    const one = await subscribe();
    one.outlet.full = true;
    await insertEvents(world.server.database, world.workspaceId, { count: 1500 });
    feeds.wake([world.workspaceId]);
    await expect.poll(() => one.subscription.state).toBe("waiting");
    expect(kinds(one)).toEqual(["opened"]);
    one.outlet.full = false;
    feeds.onDrain(one.subscription);
    await expect.poll(() => one.frames.length).toBe(1501);
    const seqs = one.frames.flatMap((frame) => (frame.kind === "event" ? [frame.event.seq] : []));
    expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
    expect(one.subscription.state).toBe("live");
  });

  it("never skips a missing event: it reports a gap and logs it", async () => {
    const one = await subscribe();
    await world.server.database.query(
      `WITH head AS (UPDATE workspace_head SET seq = seq + 2 WHERE workspace_id = $1 RETURNING seq)
       INSERT INTO event (workspace_id, seq, id, type, subject_type, subject_id, actor, data, occurred_at)
       SELECT $1, seq, gen_random_uuid(), 'task.updated', 'task', gen_random_uuid(), '{}', '{}', now() FROM head`,
      [world.workspaceId],
    );
    feeds.wake([world.workspaceId]);
    await expect.poll(() => kinds(one)).toEqual(["opened", "reset"]);
    expect(one.frames[1]).toMatchObject({ reason: "cursor_expired" });
    expect(world.server.logged.some((line) => line.includes("an event is missing"))).toBe(true);
  });

  it.each([
    ["another", "UPDATE workspace_head SET epoch = gen_random_uuid() WHERE workspace_id = $1"],
    [
      "a shorter one",
      `WITH head AS (UPDATE workspace_head SET seq = seq - 1 WHERE workspace_id = $1 RETURNING workspace_id, seq)
       DELETE FROM event e USING head h WHERE e.workspace_id = h.workspace_id AND e.seq > h.seq`,
    ],
  ])("reports a gap if its history was replaced by %s, and continues from there", async (_by, replace) => {
    await createTask(world.ctx, { title: "Of the old history" });
    const one = await subscribe();
    await world.server.database.query(replace, [world.workspaceId]);
    feeds.wake([world.workspaceId]);
    await expect.poll(() => kinds(one)).toEqual(["opened", "reset"]);
    const { newest } = await readStart(world.ctx, null);
    expect(one.frames[1]).toMatchObject({ reason: "epoch_changed", at: newest });
    await createTask(world.ctx, { title: "Of the new history" });
    feeds.wake([world.workspaceId]);
    await expect.poll(() => kinds(one)).toEqual(["opened", "reset", "event"]);
    expect(one.subscription.at).toEqual({ epoch: newest.epoch, seq: newest.seq + 1 });
  });

  it("writes nothing to subscribers that have left", async () => {
    const one = await subscribe();
    feeds.leave(one.subscription);
    const other = await subscribe();
    await createTask(world.ctx, { title: "For the other" });
    feeds.wake([world.workspaceId]);
    await expect.poll(() => kinds(other)).toEqual(["opened", "event"]);
    expect(kinds(one)).toEqual(["opened"]);
  });
});

describe("a wait", () => {
  it("is woken by what concerns it, and by nothing else", async () => {
    const mine = await createTask(world.ctx, { title: "Mine" });
    const { seq } = (await readStart(world.ctx, null)).newest;
    const woken: string[] = [];
    async function wait(who: string, concerns?: (event: StoredEvent) => boolean): Promise<void> {
      await feeds.wait(world.workspaceId, seq, { afterMs: 60_000, concerns });
      woken.push(who);
    }
    function isMine({ subjectId }: StoredEvent): boolean {
      return subjectId === mine.id;
    }
    const early = wait("mine", isMine);
    const any = wait("any");
    await createTask(world.ctx, { title: "Another" });
    feeds.wake([world.workspaceId]);
    await any;
    // What is in memory already does not concern it either.
    const late = wait("late", isMine);
    await cancelTask(world.ctx, { id: mine.id });
    feeds.wake([world.workspaceId]);
    await Promise.all([early, late]);
    expect(woken).toEqual(["any", "mine", "late"]);
  });
});
