import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestClient } from "../../support/test-client.ts";
import { insertTestAgent, insertTestMission } from "../../support/factories.ts";
import { expectFields, expectProblem } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const MESSAGES = "/api/v1/messages";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describe("GET /api/v1/messages with filters", () => {
  it("selects messages by context, task, kind and recipient", async () => {
    const { agent, ctx } = await world.another();
    const me = (await agent.get("/api/v1/whoami")).body.actor.id;
    const { task } = (await agent.post("/api/v1/tasks", { title: "x" })).body;
    const send = async (text: string, fields: object) => {
      const { status } = await agent.post(MESSAGES, { parts: [{ text }], ...fields });
      expect(status).toBe(201);
    };
    await send("about the task", { task_id: task.id, recipient_agent_id: await insertTestAgent(ctx) });
    await send("a question to me", { kind: "question", context_id: task.context_id, recipient_agent_id: me });
    await send("elsewhere", { kind: "notice" });
    const find = async (query: string) => {
      const { status, body } = await agent.get(`${MESSAGES}?${query}`);
      expect(status).toBe(200);
      return body.messages.map(({ parts: [part] }: { parts: { text: string }[] }) => part?.text);
    };
    expect(await find(`context_id=${task.context_id}`)).toEqual(["a question to me", "about the task"]);
    expect(await find(`task_id=${task.id}`)).toEqual(["about the task"]);
    expect(await find("kind=notice")).toEqual(["elsewhere"]);
    expect(await find("recipient=me")).toEqual(["a question to me"]);
    expect(await find(`recipient=me&kind=notice`)).toEqual([]);
    const { headers } = await agent.get(`${MESSAGES}?context_id=${task.context_id}&limit=1`);
    expect(headers.get("link")).toContain(`limit=1&offset=1&context_id=${task.context_id}>; rel="next"`);
  });

  it("selects an answer by the task and mission of its question", async () => {
    const { task } = (await world.agent.post("/api/v1/tasks", { title: "x" })).body;
    const supervisor = await world.agentWith("messages:write");
    const parts = [{ text: "x" }];
    const missionId = await insertTestMission(world.ctx);
    for (const about of [{ task_id: task.id }, { mission_id: missionId }]) {
      const question = (await world.agent.post(MESSAGES, { parts, kind: "question", ...about })).body.message;
      const own = { id: crypto.randomUUID(), kind: "answer", reply_to_id: question.id, parts };
      const { message: answer } = (await supervisor.post(MESSAGES, own)).body;
      expect(answer).toMatchObject({ task_id: null, mission_id: null, ...about });
      const again = await supervisor.post(MESSAGES, own);
      expect([again.status, again.body.message]).toEqual([200, answer]);
    }
    const { messages } = (await world.agent.get(`${MESSAGES}?task_id=${task.id}`)).body;
    expect(messages.map(({ kind }: { kind: string }) => kind)).toEqual(["answer", "question"]);
  });

  it("has separate ETags for each agent", async () => {
    const mint = async (handle: string) =>
      (await world.agent.post("/api/v1/agent_tokens", { agent: { handle } })).body;
    const [one, other] = [await mint("one"), await mint("other")];
    await world.agent.post(MESSAGES, { recipient_agent_id: one.agent_id, parts: [{ text: "x" }] });
    const asOne = createTestClient(world.server.url, one.token);
    const asOther = createTestClient(world.server.url, other.token);
    const { body, headers } = await asOne.get(`${MESSAGES}?recipient=me`);
    expect(body.count).toBe(1);
    const condition = { "if-none-match": headers.get("etag") ?? "" };
    expect((await asOne.get(`${MESSAGES}?recipient=me`, condition)).status).toBe(304);
    expect((await asOther.get(`${MESSAGES}?recipient=me`, condition)).body).toEqual({
      messages: [],
      count: 0,
    });
  });

  it.each(["context_id=x", "task_id=1", "kind=Question", "recipient=you", "recipient="])(
    "rejects %s",
    async (query) => {
      expectProblem(await world.agent.get(`${MESSAGES}?${query}`), 400, "invalid_parameter");
    },
  );

  it("rejects a lease and a timeout without a question about a task", async () => {
    const parts = [{ text: "x" }];
    expectFields(await world.agent.post(MESSAGES, { parts, lease_token: "x" }), "lease_token");
    const timed = { kind: "question", parts, input_timeout_s: 5 };
    expectFields(await world.agent.post(MESSAGES, timed), "input_timeout_s");
  });
});
