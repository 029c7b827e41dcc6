import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveAgent } from "../../../src/domain/agents/archive-agent.ts";
import { BAD_JSON, BAD_TEXTS } from "../../support/bad-texts.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { describeGuard, expectFields, expectProblem, withoutRequest } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const TASKS = "/api/v1/tasks";
const UNKNOWN_ID = "0199f0c2-7d5a-7cc1-9a51-0d6b2f1e8a44";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describeGuard({ path: TASKS, scope: "tasks:read" }, () => world);
describeGuard({ method: "POST", path: TASKS, scope: "tasks:write" }, () => world);
describeGuard({ path: `${TASKS}/${UNKNOWN_ID}`, scope: "tasks:read" }, () => world);

describe("POST /api/v1/tasks", () => {
  it("creates a task that is first in the lists", async () => {
    const made = await world.agent.post(TASKS, { title: "Refund order 42" });
    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(`${TASKS}/${made.body.task.id}`);
    expect(Object.keys(made.body)).toEqual(["task"]);
    const listed = await world.agent.get(`${TASKS}?limit=1`);
    expect(listed.body.tasks[0]).toEqual(made.body.task);
  });

  it("fills in defaults", async () => {
    const { body } = await world.agent.post(TASKS, { title: "x" });
    expect(body.task).toMatchObject({
      queue: "default",
      status: "submitted",
      priority: 5,
      max_attempts: 3,
      attempt: 0,
      input: [],
      labels: {},
      metadata: {},
      generation: 1,
      assignee_agent_id: null,
      parent_task_id: null,
      run_after: null,
      deadline_at: null,
      finished_at: null,
      created_by: { type: "agent", name: "Primary agent" },
    });
    expect(body.task.updated_at).toBe(body.task.created_at);
  });

  it("keeps every field as it was sent", async () => {
    const parent = (await world.agent.post(TASKS, { title: "First try" })).body.task;
    const sent = {
      title: "é€😀 and \\u0000 in letters",
      queue: "q.1_x-y",
      assignee_agent_id: await insertTestAgent(world.ctx),
      input: [
        { text: "" },
        { data: { a: [1, -0.5, 1e21, true, null, "x"] }, metadata: { deep: { er: 1 } } },
        { data: null },
        { url: "https://example.com/a?b#c", media_type: "text/html" },
        { raw: "AAECAw==", filename: "b.bin" },
      ],
      priority: 9,
      max_attempts: 20,
      run_after: "2026-11-21T10:00:45.678Z",
      deadline_at: "9999-12-31T23:59:59.999Z",
      context_id: "a199f0c2-7d5a-4cc1-9a51-0d6b2f1e8a44",
      parent_task_id: parent.id,
      labels: { colour: "red", empty: "", Ünïcode: "ß" },
      metadata: { a: { b: [{}] } },
    };
    const { status, body } = await world.agent.post(TASKS, sent, {
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    });
    expect(status).toBe(201);
    expect(body.task).toMatchObject({ ...sent, trace_id: "0af7651916cd43dd8448eb211c80319c" });
    expect((await world.agent.get(`${TASKS}/${body.task.id}`)).body.task).toEqual(body.task);
  });

  it("takes the parent's context, and accepts null for optional fields", async () => {
    const parent = (await world.agent.post(TASKS, { title: "First try" })).body.task;
    const sent = {
      title: "x",
      parent_task_id: parent.id,
      context_id: null,
      assignee_agent_id: null,
      run_after: null,
    };
    const { body } = await world.agent.post(TASKS, sent);
    expect(body.task.context_id).toBe(parent.context_id);
  });

  it("returns times in UTC, whatever their original zone", async () => {
    const sent = {
      title: "x",
      run_after: "2026-11-21T10:00:45+05:30",
      deadline_at: "2026-11-21T00:00:00.123456-08:00",
    };
    const { body } = await world.agent.post(TASKS, sent);
    expect(body.task.run_after).toBe("2026-11-21T04:30:45.000Z");
    expect(body.task.deadline_at).toBe("2026-11-21T08:00:00.123Z");
  });

  it("rejects an assignee that is archived, unknown or of another workspace", async () => {
    const archived = await insertTestAgent(world.ctx);
    await archiveAgent(world.ctx, archived);
    const elsewhere = await insertTestAgent((await world.another()).ctx);
    for (const assignee_agent_id of [archived, elsewhere, UNKNOWN_ID]) {
      expectFields(await world.agent.post(TASKS, { title: "x", assignee_agent_id }), "assignee_agent_id");
    }
  });

  it("rejects fields that only the service sets, such as the workspace", async () => {
    const { workspaceId, agent } = await world.another();
    const said = { id: UNKNOWN_ID, status: "completed", workspace_id: workspaceId, user_id: 1 };
    const refused = await world.agent.post(TASKS, { title: "Mine", ...said });
    expectProblem(refused, 422, "unknown_field");
    expect(refused.body.errors.map(({ field }: { field: string }) => field)).toEqual(Object.keys(said));
    expect((await agent.get(TASKS)).body.tasks).toEqual([]);
  });

  it.each([
    ["title", undefined],
    ["title", null],
    ["title", 5],
    ["title", ""],
    ["title", "x".repeat(201)],
    ["queue", ""],
    ["queue", "Upper"],
    ["queue", "-dash-first"],
    ["queue", "q".repeat(65)],
    ["assignee_agent_id", "me"],
    ["input", {}],
    ["input", Array.from({ length: 33 }, () => ({ text: "x" }))],
    ["input", [{ text: "x".repeat(262_144) }]],
    ["input.0", ["text"]],
    ["input.0", [{}]],
    ["input.0", [{ text: "x", url: "https://example.com" }]],
    ["input.0.url", [{ url: "javascript:alert(1)" }]],
    ["input.0.raw", [{ raw: "not base64!" }]],
    ["input.0.text", [{ text: 1 }]],
    ["input.0.filename", [{ text: "x", filename: "" }]],
    ["priority", -1],
    ["priority", 10],
    ["priority", 1.5],
    ["priority", "5"],
    ["max_attempts", 0],
    ["max_attempts", 21],
    ["run_after", "tomorrow"],
    ["run_after", 1_795_237_776],
    ["run_after", "2026-11-21"],
    ["run_after", "2026-11-21T10:00:45"],
    ["run_after", "2026-02-30T00:00:00Z"],
    ["run_after", "2026-11-21T24:00:00Z"],
    ["run_after", "0000-01-01T00:00:00Z"],
    ["deadline_at", "9999-12-31T23:59:59-14:00"],
    ["deadline_at", "0001-01-01T00:00:00+14:00"],
    ["context_id", "x"],
    ["parent_task_id", 1],
    ["labels", []],
    ["labels.a", { a: 1 }],
    ["labels.a", { a: "x".repeat(65) }],
    ["labels.ourName", { ourName: 1 }],
    ["labels", { ["n".repeat(65)]: "x" }],
    ["labels", { "": "x" }],
    ["labels", Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`n${index}`, "x"]))],
    ["labels", Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`n${index}`, 1]))],
    ["metadata", "x"],
    ["metadata", []],
    ["metadata", { a: "x".repeat(16_384) }],
  ])("rejects a wrong %s (case %#)", async (field, value) => {
    const name = field.split(".")[0] ?? "";
    expectFields(await world.agent.post(TASKS, { title: "x", [name]: value }), field);
  });

  it("names all invalid fields at once", async () => {
    expectFields(
      await world.agent.post(TASKS, { title: "", priority: 10, labels: 1 }),
      "title",
      "priority",
      "labels",
    );
  });

  it.each(BAD_TEXTS)("rejects $kind in every text", async ({ bad }) => {
    const wrong = [
      { title: bad },
      { queue: bad },
      { context_id: bad },
      { run_after: bad },
      { labels: { a: bad } },
      { labels: { [bad]: "a" } },
      { metadata: { a: [bad] } },
      { metadata: { [bad]: 1 } },
      { input: [{ text: bad }] },
      { input: [{ data: { a: bad } }] },
      { input: [{ data: { [bad]: 1 } }] },
      { input: [{ url: `https://example.com/${bad}` }] },
      { input: [{ raw: bad }] },
      { input: [{ text: "x", filename: bad }] },
      { input: [{ text: "x", media_type: bad }] },
      { input: [{ text: "x", metadata: { a: bad } }] },
    ];
    for (const fields of wrong) {
      expectProblem(await world.agent.post(TASKS, { title: "x", ...fields }), 422, "validation_failed");
    }
  });

  it.each(BAD_JSON)("rejects JSON with $kind", async ({ json }) => {
    expectFields(await world.agent.post(TASKS, `{"title":"x","metadata":${json}}`), "metadata");
    expectFields(await world.agent.post(TASKS, `{"title":"x","input":[{"data":${json}}]}`), "input");
  });

  it("rejects references to other workspaces' rows like unknown ones", async () => {
    const other = await world.another();
    const task = (await other.agent.post(TASKS, { title: "Theirs" })).body.task;
    const foreign = { assignee_agent_id: await insertTestAgent(other.ctx), parent_task_id: task.id };
    for (const [field, id] of Object.entries(foreign)) {
      const refused = await world.agent.post(TASKS, { title: "x", [field]: id });
      expectFields(refused, field);
      const unknown = await world.agent.post(TASKS, { title: "x", [field]: UNKNOWN_ID });
      expect(withoutRequest(refused)).toEqual(withoutRequest(unknown));
    }
  });

  it("leaves nothing behind after an error", async () => {
    const { agent } = await world.another();
    await agent.post(TASKS, { title: "x", parent_task_id: UNKNOWN_ID });
    expect((await agent.get(TASKS)).body).toMatchObject({ tasks: [], count: 0, pagination: { total: 0 } });
  });
});

describe("GET /api/v1/tasks/{id}", () => {
  it("finds a task by its id in either case", async () => {
    const { task } = (await world.agent.post(TASKS, { title: "x" })).body;
    const { status, body } = await world.agent.get(`${TASKS}/${task.id.toUpperCase()}`);
    expect([status, body]).toEqual([200, { task }]);
  });

  it("responds alike to an unknown id, a malformed one and one of another workspace", async () => {
    const other = await world.another();
    const { task } = (await other.agent.post(TASKS, { title: "Theirs" })).body;
    const unknown = await world.agent.get(`${TASKS}/${UNKNOWN_ID}`);
    expectProblem(unknown, 404, "not_found");
    const foreign = await world.agent.get(`${TASKS}/${task.id}`);
    expect(withoutRequest(foreign)).toEqual(withoutRequest(unknown));
    for (const id of ["x", "%00", "%ff", "1", `${UNKNOWN_ID}x`, `${UNKNOWN_ID}%20`]) {
      expectProblem(await world.agent.get(`${TASKS}/${id}`), 404, "not_found");
    }
  });
});

describe("GET /api/v1/tasks", () => {
  it("returns the page's position in the list", async () => {
    const { agent } = await world.another();
    for (const title of ["first", "second", "third"]) await agent.post(TASKS, { title });
    const { body } = await agent.get(`${TASKS}?limit=2`);
    expect(body.tasks.map(({ title }: { title: string }) => title)).toEqual(["third", "second"]);
    expect(body.count).toBe(2);
    expect(body.pagination).toEqual({ limit: 2, offset: 0, total: 3, has_more: true, next_offset: 2 });
    const rest = await agent.get(`${TASKS}?limit=2&offset=${body.pagination.next_offset}`);
    expect(rest.body.count).toBe(1);
    expect(rest.body.pagination).toEqual({
      limit: 2,
      offset: 2,
      total: 3,
      has_more: false,
      next_offset: null,
    });
  });
});
