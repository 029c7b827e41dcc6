import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertTestAgent } from "../../support/factories.ts";
import { expectProblem } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const TASKS = "/api/v1/tasks";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describe("GET /api/v1/tasks with filters", () => {
  it("selects tasks by status, queue, assignee and context, on all pages", async () => {
    const { agent, ctx } = await world.another();
    const assignee = await insertTestAgent(ctx);
    const first = (await agent.post(TASKS, { title: "a", queue: "x" })).body.task;
    const second = (await agent.post(TASKS, { title: "b", queue: "x", assignee_agent_id: assignee })).body
      .task;
    const third = (await agent.post(TASKS, { title: "c", context_id: first.context_id })).body.task;
    await agent.post(`${TASKS}/${third.id}/cancel`);
    const find = async (query: string) => {
      const { status, body } = await agent.get(`${TASKS}?${query}`);
      expect(status).toBe(200);
      expect(body.pagination.total).toBe(body.tasks.length);
      return body.tasks.map(({ title }: { title: string }) => title);
    };
    expect(await find("queue=x")).toEqual(["b", "a"]);
    expect(await find("status=canceled")).toEqual(["c"]);
    expect(await find("status=submitted&queue=x")).toEqual(["b", "a"]);
    expect(await find(`assignee=${assignee}`)).toEqual(["b"]);
    expect(await find(`context_id=${first.context_id}`)).toEqual(["c", "a"]);
    expect(await find(`context_id=${second.context_id}&status=working`)).toEqual([]);
    const { body, headers } = await agent.get(`${TASKS}?queue=x&limit=1`);
    expect(body.pagination).toEqual({ limit: 1, offset: 0, total: 2, has_more: true, next_offset: 1 });
    expect(headers.get("link")).toContain(`<${TASKS}?limit=1&offset=1&queue=x>; rel="next"`);
  });

  it("counts up to 10,000 matches exactly, and returns null above", async () => {
    const { agent, workspaceId } = await world.another();
    const { query } = world.server.database;
    const insert = async (count: number) =>
      query(
        `INSERT INTO task (workspace_id, id, context_id, title, queue, created_by)
         SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'x', 'many', '{"type":"system","id":null,"name":"test"}'
         FROM generate_series(1, $2::int)`,
        [workspaceId, count],
      );
    await insert(10_000);
    const exact = await agent.get(`${TASKS}?queue=many&limit=1`);
    expect(exact.body.pagination).toMatchObject({ total: 10_000, has_more: true, next_offset: 1 });
    await insert(1);
    const more = await agent.get(`${TASKS}?queue=many&limit=1`);
    expect(more.body.pagination).toMatchObject({ total: null, has_more: true, next_offset: 1 });
    const last = await agent.get(`${TASKS}?queue=many&limit=1&offset=10000`);
    expect(last.body.pagination).toMatchObject({ total: null, has_more: false, next_offset: null });
  });

  it("selects tasks changed after a time", async () => {
    const { agent } = await world.another();
    const first = (await agent.post(TASKS, { title: "a" })).body.task;
    const second = (await agent.post(TASKS, { title: "b" })).body.task;
    const canceled = (await agent.post(`${TASKS}/${first.id}/cancel`)).body.task;
    const find = async (after: string) => {
      const { body } = await agent.get(`${TASKS}?updated_after=${encodeURIComponent(after)}&limit=1`);
      return [body.pagination.total, body.tasks[0]?.title];
    };
    expect(await find("2026-01-01T00:00:00+02:00")).toEqual([2, "b"]);
    expect(await find(second.updated_at)).toEqual([1, "a"]);
    expect(await find(canceled.updated_at)).toEqual([0, undefined]);
    const { headers } = await agent.get(`${TASKS}?updated_after=2026-01-01T00:00:00Z&limit=1`);
    expect(headers.get("link")).toContain("offset=1&updated_after=2026-01-01T00%3A00%3A00Z>");
  });

  it.each([
    "status=done",
    "queue=Upper",
    "assignee=x",
    "context_id=1",
    "status=",
    "updated_after=yesterday",
    "updated_after=2026-02-30T00:00:00Z",
  ])("rejects %s", async (query) => {
    expectProblem(await world.agent.get(`${TASKS}?${query}`), 400, "invalid_parameter");
  });

  it("shows the progress of heartbeats despite a current ETag", async () => {
    await world.agent.post(TASKS, { title: "Shown" });
    const { task, lease } = (await world.agent.post(`${TASKS}/claim`, {})).body;
    const [path, token] = [`${TASKS}/${task.id}`, lease.token];
    const { headers } = await world.agent.get(TASKS);
    const etag = headers.get("etag") ?? "";
    await world.agent.post(`${path}/heartbeat`, { lease_token: token });
    expect((await world.agent.get(TASKS, { "if-none-match": etag })).status).toBe(304);
    await world.agent.post(`${path}/heartbeat`, { lease_token: token, progress: 0.3 });
    const after = await world.agent.get(TASKS, { "if-none-match": etag });
    expect([after.status, after.body.tasks[0].progress]).toEqual([200, 0.3]);
  });
});
