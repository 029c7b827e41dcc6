import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BAD_JSON, BAD_TEXTS } from "../../support/bad-texts.ts";
import type { TestClient } from "../../support/test-client.ts";
import { insertTestAgent, insertTestMission } from "../../support/factories.ts";
import { describeGuard, expectFields, expectProblem, withoutRequest } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const MESSAGES = "/api/v1/messages";
const UNKNOWN_ID = "0199f0c2-7d5a-7cc1-9a51-0d6b2f1e8a44";
const PARTS = [{ text: "Hello" }];

let world: TestWorld;
/** Creates another agent of the workspace. */
let supervisor: TestClient;

beforeAll(async () => {
  world = await createWorld();
  supervisor = await world.agentWith("messages:write");
});

afterAll(() => world.server.close());

describeGuard({ path: MESSAGES, scope: "messages:read" }, () => world);
describeGuard({ method: "POST", path: MESSAGES, scope: "messages:write" }, () => world);
describeGuard({ path: `${MESSAGES}/${UNKNOWN_ID}`, scope: "messages:read" }, () => world);

async function send(body: object, sender = world.agent) {
  const answer = await sender.post(MESSAGES, { parts: PARTS, ...body });
  expect(answer.status).toBe(201);
  return answer.body.message;
}

async function createTask() {
  return (await world.agent.post("/api/v1/tasks", { title: "x" })).body.task;
}

describe("POST /api/v1/messages", () => {
  it("sends a message that is first in the list", async () => {
    const sent = await world.agent.post(MESSAGES, { parts: PARTS });
    expect(sent.status).toBe(201);
    expect(sent.headers.get("location")).toBe(`${MESSAGES}/${sent.body.message.id}`);
    expect(Object.keys(sent.body)).toEqual(["message"]);
    const listed = await world.agent.get(`${MESSAGES}?limit=1`);
    expect(listed.body).toEqual({ messages: [sent.body.message], count: 1 });
    expect(sent.body.message).toMatchObject({
      role: "agent",
      kind: "text",
      sender: { type: "agent", name: "Primary agent" },
      task_id: null,
      mission_id: null,
      reply_to_id: null,
      expects_reply: false,
      answered_by_id: null,
      reference_task_ids: [],
      metadata: {},
    });
  });

  it("keeps every field as it was sent", async () => {
    const task = await createTask();
    const missionId = await insertTestMission(world.ctx, { contextId: task.context_id });
    const earlier = await send({ task_id: task.id });
    const body = {
      id: "a199f0c2-7d5a-4cc1-9a51-0d6b2f1e8a44",
      context_id: task.context_id,
      task_id: task.id,
      mission_id: missionId,
      recipient_agent_id: await insertTestAgent(world.ctx),
      kind: "notice",
      parts: [{ text: "é😀" }, { data: [1, { a: null }], media_type: "application/json" }, { raw: "AA==" }],
      reply_to_id: earlier.id,
      expects_reply: true,
      reference_task_ids: [task.id, (await createTask()).id],
      metadata: { a: { b: 1 } },
    };
    const message = await send(body);
    expect(message).toMatchObject(body);
    expect((await world.agent.get(`${MESSAGES}/${body.id}`)).body).toEqual({ message });
  });

  it("takes the context of the referenced task, mission or message", async () => {
    const task = await createTask();
    expect((await send({ task_id: task.id })).context_id).toBe(task.context_id);
    const first = await send({});
    expect((await send({ reply_to_id: first.id })).context_id).toBe(first.context_id);
    expect((await send({})).context_id).not.toBe(first.context_id);
  });

  it("rejects a context other than that of the references", async () => {
    const [task, other] = [await createTask(), await createTask()];
    const contradictions = [
      { task_id: task.id, context_id: other.context_id },
      { task_id: task.id, reply_to_id: (await send({ task_id: other.id })).id },
    ];
    for (const body of contradictions) {
      expectFields(await world.agent.post(MESSAGES, { parts: PARTS, ...body }), "context_id");
    }
  });

  it("rejects fields that only the service sets", async () => {
    const said = { role: "user", sender: { name: "The owner" }, answered_by_id: UNKNOWN_ID, x: 1 };
    const refused = await world.agent.post(MESSAGES, { parts: PARTS, ...said });
    expectProblem(refused, 422, "unknown_field");
    expect(refused.body.errors.map(({ field }: { field: string }) => field)).toEqual(Object.keys(said));
  });

  it.each([
    ["parts", undefined],
    ["parts", null],
    ["parts", []],
    ["parts", "Hello"],
    ["parts", Array.from({ length: 33 }, () => ({ text: "x" }))],
    ["parts", [{ text: "x".repeat(262_144) }]],
    ["parts.0", [{}]],
    ["parts.0", [{ text: "x", raw: "AA==" }]],
    ["parts.1", [{ text: "x" }, null]],
    ["id", "1"],
    ["id", null],
    ["kind", "shout"],
    ["kind", "TEXT"],
    ["expects_reply", "yes"],
    ["context_id", 1],
    ["task_id", "x"],
    ["mission_id", "x"],
    ["recipient_agent_id", "x"],
    ["reply_to_id", "x"],
    ["reference_task_ids", UNKNOWN_ID],
    ["reference_task_ids.0", ["x"]],
    ["reference_task_ids", Array.from({ length: 33 }, () => crypto.randomUUID())],
    ["metadata", []],
    ["metadata", { a: "x".repeat(16_384) }],
  ])("rejects a wrong %s (case %#)", async (field, value) => {
    const name = field.split(".")[0] ?? "";
    expectFields(await world.agent.post(MESSAGES, { parts: PARTS, [name]: value }), field);
  });

  it.each(BAD_TEXTS)("rejects $kind in every text", async ({ bad }) => {
    const wrong = [
      { parts: [{ text: bad }] },
      { parts: [{ data: bad }] },
      { parts: [{ text: "x", filename: bad }] },
      { parts: [{ text: "x", metadata: { [bad]: 1 } }] },
      { metadata: { a: bad } },
      { kind: bad },
      { id: bad },
      { reference_task_ids: [bad] },
    ];
    for (const fields of wrong) {
      expectProblem(await world.agent.post(MESSAGES, { parts: PARTS, ...fields }), 422, "validation_failed");
    }
  });

  it.each(BAD_JSON)("rejects JSON with $kind", async ({ json }) => {
    expectFields(await world.agent.post(MESSAGES, `{"parts":[{"data":${json}}]}`), "parts");
    expectFields(await world.agent.post(MESSAGES, `{"parts":[{"text":"x"}],"metadata":${json}}`), "metadata");
  });

  it("rejects references to other workspaces' rows like unknown ones", async () => {
    const other = await world.another();
    const task = (await other.agent.post("/api/v1/tasks", { title: "Theirs" })).body.task;
    const message = (await other.agent.post(MESSAGES, { parts: PARTS })).body.message;
    const foreign = {
      task_id: [task.id, UNKNOWN_ID],
      mission_id: [await insertTestMission(other.ctx), UNKNOWN_ID],
      recipient_agent_id: [await insertTestAgent(other.ctx), UNKNOWN_ID],
      reply_to_id: [message.id, UNKNOWN_ID],
      reference_task_ids: [[task.id], [UNKNOWN_ID]],
    };
    for (const [field, [theirs, nobodys]] of Object.entries(foreign)) {
      const refused = await world.agent.post(MESSAGES, { parts: PARTS, [field]: theirs });
      expectFields(refused, field);
      const unknown = await world.agent.post(MESSAGES, { parts: PARTS, [field]: nobodys });
      expect(withoutRequest(refused)).toEqual(withoutRequest(unknown));
    }
  });
});

describe("a message's own id", () => {
  it("makes sending the message again change nothing", async () => {
    const id = crypto.randomUUID();
    const body = { id, parts: [{ data: { b: 1, a: [1.5, "é"] } }], metadata: { z: 1, y: { x: 2 } } };
    const message = await send(body);
    const again = await world.agent.post(MESSAGES, { ...body, id: id.toUpperCase() });
    expect([again.status, again.body]).toEqual([200, { message }]);
    const reordered = `{"metadata":{"y":{"x":2},"z":1},"parts":[{"data":{"a":[1.5,"é"],"b":1}}],"id":"${id}"}`;
    expect((await world.agent.post(MESSAGES, reordered)).status).toBe(200);
    const rows = await world.server.database.query("SELECT 1 FROM message WHERE id = $1", [id]);
    expect(rows).toHaveLength(1);
  });

  it("conflicts with another body", async () => {
    const id = crypto.randomUUID();
    await send({ id, parts: [{ text: "one" }] });
    const others = [
      { parts: [{ text: "two" }] },
      { kind: "notice" },
      { metadata: { a: 1 } },
      { expects_reply: true },
    ];
    for (const other of others) {
      const refused = await world.agent.post(MESSAGES, { id, parts: [{ text: "one" }], ...other });
      expectProblem(refused, 409, "id_conflict");
      expect(refused.body.field).toBe("id");
    }
  });

  it("conflicts with another sender", async () => {
    const id = crypto.randomUUID();
    await send({ id });
    const other = await world.agentWith("messages:write");
    expectProblem(await other.post(MESSAGES, { id, parts: PARTS }), 409, "id_conflict");
  });

  it("is separate in each workspace", async () => {
    const id = crypto.randomUUID();
    await send({ id });
    const { agent } = await world.another();
    const theirs = await agent.post(MESSAGES, { id, parts: [{ text: "Theirs" }] });
    expect([theirs.status, theirs.body.message.id]).toEqual([201, id]);
    expect((await world.agent.get(`${MESSAGES}/${id}`)).body.message.parts).toEqual(PARTS);
  });

  it("creates one message for two concurrent requests", async () => {
    for (let round = 0; round < 5; round++) {
      const body = { id: crypto.randomUUID(), parts: PARTS };
      const both = await Promise.all([world.agent.post(MESSAGES, body), world.agent.post(MESSAGES, body)]);
      expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 201]));
      expect(both[0].body).toEqual(both[1].body);
    }
  });
});

describe("an answer", () => {
  it("marks its question as answered, once", async () => {
    const question = await send({ kind: "question", expects_reply: true });
    const answer = await send({ kind: "answer", reply_to_id: question.id }, supervisor);
    expect(answer.context_id).toBe(question.context_id);
    const asked = await world.agent.get(`${MESSAGES}/${question.id}`);
    expect(asked.body.message).toEqual({ ...question, answered_by_id: answer.id });
    const second = { kind: "answer", reply_to_id: question.id, parts: PARTS };
    expectProblem(await supervisor.post(MESSAGES, second), 409, "invalid_state");
  });

  it("can be sent again, and so can the question", async () => {
    const question = { id: crypto.randomUUID(), kind: "question", parts: PARTS };
    const answer = { id: crypto.randomUUID(), kind: "answer", reply_to_id: question.id, parts: PARTS };
    await send(question);
    await send(answer, supervisor);
    expect((await supervisor.post(MESSAGES, answer)).status).toBe(200);
    const again = await world.agent.post(MESSAGES, question);
    expect([again.status, again.body.message.answered_by_id]).toEqual([200, answer.id]);
  });

  it("can't come from the sender of the question", async () => {
    const question = await send({ kind: "question" });
    const own = { kind: "answer", reply_to_id: question.id, parts: PARTS };
    expectProblem(await world.agent.post(MESSAGES, own), 403, "forbidden");
    const asked = await world.agent.get(`${MESSAGES}/${question.id}`);
    expect(asked.body.message).toEqual(question);
  });

  it("requires a question", async () => {
    const text = await send({ kind: "text" });
    for (const reply_to_id of [undefined, null, text.id]) {
      expectFields(
        await world.agent.post(MESSAGES, { kind: "answer", reply_to_id, parts: PARTS }),
        "reply_to_id",
      );
    }
  });

  it("is accepted once from two concurrent requests", async () => {
    const question = await send({ kind: "question" });
    const answer = { kind: "answer", reply_to_id: question.id, parts: PARTS };
    const both = await Promise.all([supervisor.post(MESSAGES, answer), supervisor.post(MESSAGES, answer)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const made = both.find(({ status }) => status === 201);
    const asked = await world.agent.get(`${MESSAGES}/${question.id}`);
    expect(asked.body.message.answered_by_id).toBe(made?.body.message.id);
  });
});

describe("GET /api/v1/messages/{id}", () => {
  it("responds alike to an unknown id, a malformed one and one of another workspace", async () => {
    const other = await world.another();
    const { message } = (await other.agent.post(MESSAGES, { parts: PARTS })).body;
    const unknown = await world.agent.get(`${MESSAGES}/${UNKNOWN_ID}`);
    expectProblem(unknown, 404, "not_found");
    const foreign = await world.agent.get(`${MESSAGES}/${message.id}`);
    expect(withoutRequest(foreign)).toEqual(withoutRequest(unknown));
    expectProblem(await world.agent.get(`${MESSAGES}/x`), 404, "not_found");
  });
});
