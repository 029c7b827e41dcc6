import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listEvents } from "../../../src/domain/event-log/list-events.ts";
import { eventCursor } from "../../../src/domain/kernel/cursors.ts";
import { openCtx, systemCaller } from "../../../src/domain/kernel/context.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { watchLanes } from "../../support/watched-lanes.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

async function titles(cursor: string, asked: Parameters<typeof listEvents>[1] = {}): Promise<string[]> {
  const { events } = await listEvents(world.ctx, { after: cursor, ...asked });
  return events.map(({ type }) => type);
}

async function setHead(change: string): Promise<void> {
  await world.server.database.query(`UPDATE workspace_head SET ${change} WHERE workspace_id = $1`, [
    world.workspaceId,
  ]);
}

describe("listEvents", () => {
  it("starts from now without a cursor, and continues after the last page", async () => {
    await createTask(world.ctx, { title: "Before" });
    const start = await listEvents(world.ctx, {});
    expect(start.events).toEqual([]);
    const task = await createTask(world.ctx, { title: "After" });
    const page = await listEvents(world.ctx, { after: start.cursor });
    expect(page.events).toMatchObject([
      {
        type: "task.created",
        subjectType: "task",
        subjectId: task.id,
        actor: { type: "system", id: null, name: "test" },
        occurredAt: expect.stringMatching(/^\d{4}-.*T.*\.\d{3}Z$/),
      },
    ]);
    expect(await titles(page.cursor)).toEqual([]);
  });

  it("returns every event once, oldest first, page by page", async () => {
    const { oldestCursor } = await listEvents(world.ctx, {});
    const seen: number[] = [];
    let cursor = oldestCursor;
    for (;;) {
      const page = await listEvents(world.ctx, { after: cursor, first: 2 });
      if (page.events.length === 0) break;
      seen.push(...page.events.map(({ seq }) => seq));
      cursor = page.cursor;
    }
    const [row] = await world.server.database.query<{ seq: string }>(
      "SELECT seq FROM workspace_head WHERE workspace_id = $1",
      [world.workspaceId],
    );
    expect(seen).toEqual(Array.from({ length: Number(row?.seq) }, (_, index) => index + 1));
  });

  it("filters by type and subject, and moves the cursor past the others", async () => {
    const { cursor } = await listEvents(world.ctx, {});
    const agentId = await insertTestAgent(world.ctx);
    const task = await createTask(world.ctx, { title: "One" });
    expect(await titles(cursor, { types: ["task.*"] })).toEqual(["task.created"]);
    expect(await titles(cursor, { types: ["agent.created", "task.c*"] })).toEqual([
      "agent.created",
      "task.created",
    ]);
    expect(await titles(cursor, { types: ["*"] })).toEqual(["agent.created", "task.created"]);
    expect(await titles(cursor, { subjectId: task.id })).toEqual(["task.created"]);
    expect(await titles(cursor, { subjectId: agentId })).toEqual(["agent.created"]);
    const none = await listEvents(world.ctx, { after: cursor, types: ["mission.*"] });
    expect(none.events).toEqual([]);
    expect(await titles(none.cursor)).toEqual([]);
  });

  it("waits for the next event and returns it at once", async () => {
    const { cursor } = await listEvents(world.ctx, {});
    const started = performance.now();
    const waiting = listEvents(world.ctx, { after: cursor, waitSeconds: 30, types: ["task.created"] });
    await insertTestAgent(world.ctx);
    await createTask(world.ctx, { title: "Waited for" });
    expect((await waiting).events.map(({ type }) => type)).toEqual(["task.created"]);
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it("returns no events when the wait is over, with a cursor to continue", async () => {
    const { cursor } = await listEvents(world.ctx, {});
    const page = await listEvents(world.ctx, { after: cursor, waitSeconds: 1 });
    expect(page).toMatchObject({ events: [], cursor });
  });

  it("reads nothing for events that it doesn't want while it waits", async () => {
    const { services, lanes } = watchLanes(world.server.services);
    const ctx = openCtx(services, systemCaller(world.workspaceId, "test"));
    const { cursor } = await listEvents(ctx, {});
    const waiting = listEvents(ctx, { after: cursor, types: ["robot.*"], waitSeconds: 1 });
    for (let made = 0; made < 20; made++) await createTask(world.ctx, { title: "Not wanted" });
    const { events, cursor: next } = await waiting;
    expect(events).toEqual([]);
    expect(await titles(next)).toEqual([]);
    // At the start and at the end.
    expect(lanes.length).toBeLessThan(10);
  });

  it("rejects a cursor with deleted events, and returns the oldest valid one", async () => {
    const another = await world.another();
    const { cursor } = await listEvents(another.ctx, {});
    await createTask(another.ctx, { title: "Gone soon" });
    await createTask(another.ctx, { title: "Kept" });
    await world.server.database.query("UPDATE workspace_head SET min_seq = seq WHERE workspace_id = $1", [
      another.workspaceId,
    ]);
    const refused = listEvents(another.ctx, { after: cursor });
    await expect(refused).rejects.toMatchObject({ code: "cursor_expired", details: { field: "after" } });
    const { oldestCursor } = await listEvents(another.ctx, {});
    await expect(refused).rejects.toMatchObject({ details: { oldestCursor } });
    const { events } = await listEvents(another.ctx, { after: oldestCursor });
    expect(events.map(({ type }) => type)).toEqual(["task.created"]);
  });

  it("rejects a cursor from before a restored backup", async () => {
    const { cursor } = await listEvents(world.ctx, {});
    await setHead("epoch = gen_random_uuid()");
    expect(await getErrorCode(listEvents(world.ctx, { after: cursor }))).toBe("cursor_expired");
    const now = await listEvents(world.ctx, {});
    const { epoch, seq } = JSON.parse(
      JSON.stringify(
        /^v1\.(?<epoch>[^.]+)\.(?<seq>\d+)$/.exec(Buffer.from(now.cursor, "base64url").toString())?.groups,
      ),
    );
    const ahead = eventCursor(epoch, BigInt(seq) + 1n);
    expect(await getErrorCode(listEvents(world.ctx, { after: ahead }))).toBe("cursor_expired");
  });

  it("rejects another workspace's cursor and an invalid one, naming the argument", async () => {
    const { cursor } = await listEvents((await world.another()).ctx, {});
    for (const after of [cursor, "", "x", "v1.1", eventCursor("not-an-epoch", 1n), `${cursor}\0`]) {
      const refused = listEvents(world.ctx, { after });
      await expect(refused, after).rejects.toMatchObject({
        code: "validation_failed",
        details: { field: "after" },
      });
    }
  });

  it.each([
    [{ first: 0 }, "first"],
    [{ first: 501 }, "first"],
    [{ waitSeconds: 31 }, "waitSeconds"],
    [{ types: [] }, "types"],
    [{ types: ["task.*.x"] }, "types"],
    [{ types: ["'; DROP TABLE event"] }, "types"],
    [{ types: Array.from({ length: 51 }, () => "task.*") }, "types"],
    [{ subjectId: "x" }, "subjectId"],
  ])("rejects %j", async (asked, field) => {
    await expect(listEvents(world.ctx, asked)).rejects.toMatchObject({
      code: "validation_failed",
      details: { field },
    });
  });

  it("rejects an actor without the scope, and allows every user", async () => {
    const refused = await world.agentWith("tasks:read");
    expect((await refused.get("/api/v1/events")).body.code).toBe("insufficient_scope");
    const viewer = userCtx(world.server, world.workspaceId, "viewer");
    expect(await listEvents(viewer, {})).toMatchObject({ events: [] });
  });
});
