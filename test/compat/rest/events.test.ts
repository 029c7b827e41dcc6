import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { createTestClient } from "../../support/test-client.ts";
import { buildCookie, createPerson, beginTestSession } from "../../support/people.ts";
import { expectProblem } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describe("GET /api/v1/events", () => {
  it("returns the events after a cursor, and the next cursor", async () => {
    const start = await world.agent.get("/api/v1/events");
    expect(start.body).toEqual({ events: [], next_after: expect.any(String) });
    const made = await world.agent.post("/api/v1/tasks", { title: "Seen" });
    const after = await world.agent.get(`/api/v1/events?after=${start.body.next_after}`);
    expect(after.status).toBe(200);
    expect(after.headers.get("cache-control")).toBe("no-store");
    expect(after.body.events).toEqual([
      {
        cursor: after.body.next_after,
        seq: expect.any(Number),
        id: expect.any(String),
        type: "task.created",
        subject_type: "task",
        subject_id: made.body.task.id,
        agent_id: null,
        actor: made.body.task.created_by,
        data: expect.any(Object),
        traceparent: null,
        occurred_at: expect.any(String),
      },
    ]);
  });

  it("waits until something happens", async () => {
    const { body } = await world.agent.get("/api/v1/events");
    const waiting = world.agent.get(`/api/v1/events?wait=30&types=task.created&after=${body.next_after}`);
    const task = await createTask(world.ctx, { title: "Waited for" });
    expect((await waiting).body.events).toMatchObject([{ subject_id: task.id }]);
  });

  it("accepts a user's session", async () => {
    const person = await createPerson(world.server, world.workspaceId, { role: "viewer" });
    const cookie = buildCookie(await beginTestSession(world.server, person));
    const answer = await createTestClient(world.server.url).get("/api/v1/events", { cookie });
    expect(answer.status).toBe(200);
  });

  it("returns 410 with the oldest cursor if events have been deleted", async () => {
    const another = await world.another();
    const { body } = await another.agent.get("/api/v1/events");
    await createTask(another.ctx, { title: "Gone soon" });
    await createTask(another.ctx, { title: "Kept" });
    await world.server.database.query("UPDATE workspace_head SET min_seq = seq WHERE workspace_id = $1", [
      another.workspaceId,
    ]);
    const gone = await another.agent.get(`/api/v1/events?after=${body.next_after}`);
    expectProblem(gone, 410, "cursor_expired");
    const kept = await another.agent.get(`/api/v1/events?after=${gone.body.oldest_cursor}`);
    expect(kept.body.events).toHaveLength(1);
  });

  it.each([
    ["after=x", "after"],
    ["after=", "after"],
    ["types=", "types"],
    ["types=task.created,%20x!", "types"],
    ["subject=x", "subject"],
    ["limit=0", "limit"],
    ["limit=501", "limit"],
    ["wait=31", "wait"],
    ["wait=-1", "wait"],
  ])("rejects %s", async (query, field) => {
    const answer = await world.agent.get(`/api/v1/events?${query}`);
    expectProblem(answer, 400, "invalid_parameter");
    expect(answer.body.field).toBe(field);
  });

  it("rejects callers without a credential or the scope", async () => {
    expectProblem(await createTestClient(world.server.url).get("/api/v1/events"), 401, "unauthenticated");
    const narrow = await world.agentWith("tasks:read");
    expectProblem(await narrow.get("/api/v1/events"), 403, "insufficient_scope");
  });
});
