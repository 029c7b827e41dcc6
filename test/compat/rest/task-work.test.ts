import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeGuard, expectFields, expectProblem, withoutRequest } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const TASKS = "/api/v1/tasks";
const UNKNOWN_ID = "0199f0c2-7d5a-7cc1-9a51-0d6b2f1e8a44";
const ACTS = ["heartbeat", "complete", "fail", "reject", "release", "cancel_ack"];
const ERROR = { error: { message: "It broke" } };
/** The body of each call, in addition to its lease token. */
const BODIES: Record<string, object> = { fail: ERROR };

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describeGuard({ method: "POST", path: `${TASKS}/claim`, scope: "tasks:work" }, () => world);
for (const act of ACTS) {
  describeGuard({ method: "POST", path: `${TASKS}/${UNKNOWN_ID}/${act}`, scope: "tasks:work" }, () => world);
}
describeGuard({ method: "POST", path: `${TASKS}/${UNKNOWN_ID}/cancel`, scope: "tasks:write" }, () => world);

/** Creates a task in a queue of its own and claims it. */
async function claimNew(
  fields: object = {},
): Promise<{ path: string; id: string; token: string; queue: string }> {
  const queue = `q-${crypto.randomUUID()}`;
  await world.agent.post(TASKS, { title: "A task", queue, ...fields });
  const { body } = await world.agent.post(`${TASKS}/claim`, { queues: [queue] });
  return { path: `${TASKS}/${body.task.id}`, id: body.task.id, token: body.lease.token, queue };
}

describe("the loop of a worker", () => {
  it("is claim, heartbeat, complete", async () => {
    const { task: made } = (await world.agent.post(TASKS, { title: "Refund order 42", queue: "loop" })).body;
    const claimed = await world.agent.post(`${TASKS}/claim`, { queues: ["loop"], lease_s: 30 });
    expect(claimed.status).toBe(200);
    expect(claimed.headers.get("cache-control")).toBe("no-store");
    expect(Object.keys(claimed.body)).toEqual(["task", "lease"]);
    expect(claimed.body.task).toMatchObject({ id: made.id, status: "working", attempt: 1, generation: 2 });
    expect(claimed.body.lease).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      attempt: 1,
      expires_at: new Date(Date.parse(claimed.body.task.updated_at) + 30_000).toISOString(),
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    });
    const lease_token = claimed.body.lease.token;
    const heartbeat = await world.agent.post(`${TASKS}/${made.id}/heartbeat`, {
      lease_token,
      progress: 0.5,
      status_message: "Halfway",
    });
    expect(heartbeat.status).toBe(200);
    expect(heartbeat.body).toEqual({
      lease_expires_at: expect.any(String),
      cancel_requested: false,
      control_state: "active",
    });
    const shown = await world.agent.get(`${TASKS}/${made.id}`);
    expect(shown.body.task).toMatchObject({ progress: 0.5, status_message: "Halfway", generation: 2 });
    const done = {
      lease_token,
      output: { refunded: true },
      artifacts: [{ artifact_id: "receipt", name: "Receipt", parts: [{ text: "Paid back" }] }],
    };
    const completed = await world.agent.post(`${TASKS}/${made.id}/complete`, done);
    expect(completed.status).toBe(200);
    expect(completed.body.task).toMatchObject({
      status: "completed",
      progress: 1,
      output: done.output,
      artifacts: done.artifacts,
      finished_at: completed.body.task.updated_at,
    });
    expect(JSON.stringify(completed.body)).not.toContain(lease_token);
    expect((await world.agent.post(`${TASKS}/claim`, { queues: ["loop"] })).status).toBe(204);
  });

  it("can repeat a call and gets the same response, but not with another body", async () => {
    const { path, token } = await claimNew();
    const done = { lease_token: token, output: { a: 1, b: 2 } };
    const first = await world.agent.post(`${path}/complete`, done);
    const again = await world.agent.post(`${path}/complete`, { output: { b: 2, a: 1 }, lease_token: token });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expectProblem(await world.agent.post(`${path}/complete`, { ...done, output: 1 }), 409, "invalid_state");
  });

  it.each([
    ["fail", ERROR, "submitted"],
    ["fail", { error: { message: "x", retryable: false, code: "no_such_order" } }, "failed"],
    ["reject", { reason: "Not my trade" }, "rejected"],
    ["release", {}, "submitted"],
  ])("can %s %j", async (act, body, status) => {
    const { path, token } = await claimNew();
    const answer = await world.agent.post(`${path}/${act}`, { lease_token: token, ...body });
    expect([answer.status, answer.body.task.status]).toEqual([200, status]);
    const again = await world.agent.post(`${path}/${act}`, { lease_token: token, ...body });
    expect([again.status, again.body]).toEqual([200, answer.body]);
  });

  it("ends with an acknowledgement after a cancellation", async () => {
    const { path, token } = await claimNew();
    const asked = await world.agent.post(`${path}/cancel`, { reason: "Not wanted" });
    expect(asked.status).toBe(200);
    expect(asked.body.task).toMatchObject({ status: "working", cancel_requested_at: expect.any(String) });
    const heartbeat = await world.agent.post(`${path}/heartbeat`, { lease_token: token });
    expect(heartbeat.body.cancel_requested).toBe(true);
    const ended = await world.agent.post(`${path}/cancel_ack`, { lease_token: token });
    expect([ended.status, ended.body.task.status]).toEqual([200, "canceled"]);
  });

  it("waits for the answer to its question", async () => {
    const { path, id, token } = await claimNew();
    const question = { kind: "question", task_id: id, parts: [{ text: "Which?" }], lease_token: token };
    const asked = await world.agent.post("/api/v1/messages", { ...question, input_timeout_s: 600 });
    expect(asked.status).toBe(201);
    expect((await world.agent.get(path)).body.task.status).toBe("input_required");
    const heartbeat = await world.agent.post(`${path}/heartbeat`, { lease_token: token });
    expect(heartbeat.body.lease_expires_at).toBeNull();
    const answer = { kind: "answer", reply_to_id: asked.body.message.id, parts: [{ text: "The first" }] };
    const supervisor = await world.agentWith("messages:write");
    expect((await supervisor.post("/api/v1/messages", answer)).status).toBe(201);
    expect((await world.agent.get(path)).body.task.status).toBe("working");
    expect((await world.agent.post(`${path}/complete`, { lease_token: token })).status).toBe(200);
  });
});

describe.each(ACTS)("POST /api/v1/tasks/{id}/%s", (act) => {
  it("responds alike to an unknown id, a malformed one and one of another workspace", async () => {
    const other = await world.another();
    const { task } = (await other.agent.post(TASKS, { title: "Theirs" })).body;
    const body = { lease_token: "x", ...BODIES[act] };
    const unknown = await world.agent.post(`${TASKS}/${UNKNOWN_ID}/${act}`, body);
    expectProblem(unknown, 404, "not_found");
    const foreign = await world.agent.post(`${TASKS}/${task.id}/${act}`, body);
    expect(withoutRequest(foreign)).toEqual(withoutRequest(unknown));
    expectProblem(await world.agent.post(`${TASKS}/x/${act}`, body), 404, "not_found");
  });

  it("rejects another task's token and returns the current status", async () => {
    const { path } = await claimNew();
    const refused = await world.agent.post(`${path}/${act}`, { lease_token: "other", ...BODIES[act] });
    expectProblem(refused, 409, "lease_lost");
    expect(refused.body.current_status).toBe("working");
  });

  it("rejects a body without the token", async () => {
    const { path } = await claimNew();
    const refused = await world.agent.post(`${path}/${act}`, BODIES[act]);
    // Without a lease, a task can be rejected by the agent it is assigned to.
    if (act === "reject") expectProblem(refused, 403, "forbidden");
    else expectFields(refused, "lease_token");
  });
});

describe("an invalid body", () => {
  it.each([
    ["claim", "queues", { queues: [] }],
    ["claim", "queues.0", { queues: ["Upper"] }],
    ["claim", "lease_s", { lease_s: 9 }],
    ["claim", "lease_s", { lease_s: 601 }],
    ["claim", "wait", { wait: 26 }],
    ["claim", "wait", { wait: "1" }],
  ])("of %s is rejected for its %s (case %#)", async (act, field, body) => {
    expectFields(await world.agent.post(`${TASKS}/${act}`, body), field);
  });

  it.each([
    ["heartbeat", "progress", { progress: 1.1 }],
    ["heartbeat", "progress", { progress: -0.1 }],
    ["heartbeat", "status_message", { status_message: "" }],
    ["complete", "output", { output: "x".repeat(262_145) }],
    [
      "complete",
      "artifacts",
      {
        artifacts: [
          { artifact_id: "a", parts: [{ text: "x" }] },
          { artifact_id: "a", parts: [{ text: "x" }] },
        ],
      },
    ],
    ["complete", "artifacts.0.parts", { artifacts: [{ artifact_id: "a", parts: [] }] }],
    ["complete", "artifacts.0.parts.0", { artifacts: [{ artifact_id: "a", parts: [{}] }] }],
    ["fail", "error", { error: "x" }],
    ["fail", "error.message", { error: { message: "" } }],
    ["fail", "error.retryable", { error: { message: "x", retryable: 1 } }],
    ["reject", "reason", { reason: "x".repeat(2001) }],
    ["cancel", "reason", { reason: "" }],
  ])("of %s is rejected for its %s (case %#)", async (act, field, body) => {
    const { path, token } = await claimNew();
    const holder = act === "cancel" ? {} : { lease_token: token };
    expectFields(await world.agent.post(`${path}/${act}`, { ...holder, ...body }), field);
  });
});

describe("If-Match", () => {
  it("allows a change only if the task is unchanged", async () => {
    const { path, token } = await claimNew();
    const etag = (await world.agent.get(path)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"2\.[\w-]{27}"$/);
    for (const stale of ['"1"', `W/${etag}`, '"nonsense"', '"1.abc", "3"']) {
      expectProblem(
        await world.agent.post(`${path}/cancel`, {}, { "if-match": stale }),
        412,
        "precondition_failed",
      );
    }
    const heartbeat = { lease_token: token, progress: 0.1 };
    expect((await world.agent.post(`${path}/heartbeat`, heartbeat)).status).toBe(200);
    const matched = await world.agent.post(`${path}/cancel`, {}, { "if-match": `"1", ${etag}` });
    expect([matched.status, matched.body.task.generation]).toEqual([200, 3]);
    const done = { lease_token: token };
    expectProblem(
      await world.agent.post(`${path}/complete`, done, { "if-match": etag }),
      412,
      "precondition_failed",
    );
    expect((await world.agent.post(`${path}/complete`, done, { "if-match": "*" })).status).toBe(200);
    // This very call has already been executed.
    expect((await world.agent.post(`${path}/complete`, done, { "if-match": etag })).status).toBe(200);
  });
});

describe("GET /api/v1/tasks/{id} with a known generation", () => {
  it("responds as soon as the generation is different", async () => {
    const { path, token } = await claimNew();
    expect((await world.agent.get(`${path}?current_generation=1&wait=25`)).body.task.generation).toBe(2);
    const waiting = world.agent.get(`${path}?current_generation=2&wait=25`);
    await world.agent.post(`${path}/complete`, { lease_token: token });
    expect((await waiting).body.task).toMatchObject({ generation: 3, status: "completed" });
  });

  it("returns the current task when the wait is over", async () => {
    const { path } = await claimNew();
    const answer = await world.agent.get(`${path}?current_generation=2&wait=1`);
    expect([answer.status, answer.body.task.generation]).toEqual([200, 2]);
  });

  it.each(["current_generation=0", "current_generation=x", "wait=26", "wait=-1", "wait="])(
    "rejects %s",
    async (query) => {
      const { path } = await claimNew();
      expectProblem(await world.agent.get(`${path}?${query}`), 400, "invalid_parameter");
    },
  );
});
