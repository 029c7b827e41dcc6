import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { ERAS, type McpClient, createMcpClient, mintAgent } from "../../support/mcp.ts";
import { openSessionCtx } from "../../support/open-session-ctx.ts";
import { createPerson, beginTestSession } from "../../support/people.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { sweepTasks } from "../../../src/domain/tasks/sweep-tasks.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let second: TestServer;
let asker: TestClient;
let bearer: string;
let person: Ctx;

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
  ({ client: asker, bearer } = await mintAgent(world));
  const ada = await createPerson(world.server, world.workspaceId, { role: "operator" });
  person = await openSessionCtx(world.server, await beginTestSession(world.server, ada));
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

async function answer(ctx: Ctx, questionId: string, text: string): Promise<void> {
  await sendMessage(ctx, { kind: "answer", replyToId: questionId, parts: [{ text }] });
}

/** Claims a new task. */
async function claim(mcp: McpClient): Promise<{ task_id: string; lease_token: string }> {
  const queue = `q-${crypto.randomUUID()}`;
  await mcp.call("task_create", { title: "Refund", queue });
  const { task, lease } = await mcp.call("task_claim", { queues: [queue] });
  return { task_id: task.id, lease_token: lease.token };
}

describe.each(ERAS)("ask_human in the %s era", (era) => {
  it("gives the answer of a person, with where to give it", async () => {
    const mcp = createMcpClient(asker, era);
    const text = `Refund 900 EUR? ${crypto.randomUUID()}`;
    const asked = await mcp.call("ask_human", { question: text, choices: ["yes", "no"], wait_s: 0 });
    expect(asked).toEqual({
      ...{ question_id: expect.any(String), status: "pending", answer: null, answered_by: null },
      url: expect.stringMatching(`^${world.server.url}/inbox/[0-9a-f-]{36}$`),
    });
    const { body } = await world.agent.get(`/api/v1/messages/${asked.question_id}`);
    expect(body.message).toMatchObject({ parts: [{ text: `${text}\n- yes\n- no` }], expects_reply: true });
    const waiting = mcp.call("ask_human_status", { question_id: asked.question_id, wait_s: 50 });
    await answer(person, asked.question_id, "yes");
    const given = { ...asked, status: "answered", answer: "yes", answered_by: person.actor.name };
    expect(await waiting).toEqual(given);
    expect(await mcp.call("ask_human_status", { question_id: asked.question_id })).toEqual(given);
  });

  it("waits for the answer, which may be given on another node", async () => {
    const mcp = createMcpClient(asker, era);
    const text = `Now? ${crypto.randomUUID()}`;
    const waiting = mcp.call("ask_human", { question: text });
    // The same question at another node finds it.
    const other = createMcpClient(createTestClient(second.url, bearer.slice("Bearer ".length)), era);
    const { question_id: id } = await other.call("ask_human", { question: text, wait_s: 0 });
    const elsewhere = second.systemCtx(world.workspaceId);
    await answer(elsewhere, id, "now");
    expect(await waiting).toMatchObject({ question_id: id, status: "answered", answer: "now" });
  });

  it("asks the same question once while it waits, and anew when it was answered", async () => {
    const mcp = createMcpClient(asker, era);
    const asked = { question: `Again? ${crypto.randomUUID()}`, wait_s: 0 };
    const answers = await Promise.all(Array.from({ length: 5 }, () => mcp.call("ask_human", asked)));
    const [id, ...others] = new Set(answers.map(({ question_id }) => question_id));
    expect(others).toEqual([]);
    const { client } = await mintAgent(world);
    expect((await createMcpClient(client, era).call("ask_human", asked)).question_id).not.toBe(id);
    await answer(person, id, "ok");
    expect((await mcp.call("ask_human", asked)).question_id).not.toBe(id);
  });

  it("lets the task that is asked about wait, and go on with the answer", async () => {
    const mcp = createMcpClient(asker, era);
    const held = await claim(mcp);
    const asked = { question: "Which account?", wait_s: 0, ...held };
    const { question_id: id } = await mcp.call("ask_human", asked);
    expect(await mcp.call("task_heartbeat", held)).toMatchObject({ lease_expires_at: null });
    expect((await mcp.call("ask_human", asked)).question_id).toBe(id);
    await answer(person, id, "The second");
    expect(await mcp.call("ask_human_status", { question_id: id })).toMatchObject({ answer: "The second" });
    expect(await mcp.call("task_complete", held)).toMatchObject({ task: { status: "completed" } });
  });

  it("tells that a question is over when its task has failed for want of an answer", async () => {
    const mcp = createMcpClient(asker, era);
    const held = await claim(mcp);
    const asked = { question: "Anybody?", wait_s: 0, expires_s: 60, ...held };
    const { question_id: id } = await mcp.call("ask_human", asked);
    const later = new Date(Date.now() + 61_000);
    await sweepTasks(world.server.services, later);
    expect(await mcp.call("ask_human_status", { question_id: id })).toMatchObject({ status: "expired" });
  });

  it("takes no agent's answer, neither of another one nor by REST", async () => {
    const mcp = createMcpClient(asker, era);
    const asked = { question: `Who? ${crypto.randomUUID()}`, wait_s: 0 };
    const { question_id: id } = await mcp.call("ask_human", asked);
    const { client } = await mintAgent(world);
    const reply = { text: "I", kind: "answer", reply_to: id };
    for (const agent of [client, world.agent]) {
      expect(await createMcpClient(agent, era).fail("message_send", reply)).toMatchObject({
        code: "forbidden",
      });
    }
    const rest = await client.post("/api/v1/messages", {
      kind: "answer",
      parts: [{ text: "I" }],
      reply_to_id: id,
    });
    expect([rest.status, rest.body.code]).toEqual([403, "forbidden"]);
    expect(await mcp.call("ask_human_status", { question_id: id })).toMatchObject({ status: "pending" });
  });

  it("shows nobody else's questions, and rejects what makes no sense", async () => {
    const mcp = createMcpClient(asker, era);
    const { client } = await mintAgent(world);
    const { question_id: id } = await createMcpClient(client, era).call("ask_human", {
      question: "?",
      wait_s: 0,
    });
    expect(await mcp.fail("ask_human_status", { question_id: id })).toMatchObject({ code: "not_found" });
    expect(await mcp.fail("ask_human", { question: "?", task_id: id })).toMatchObject({
      field: "lease_token",
    });
    expect(await mcp.fail("ask_human", { question: "?", expires_s: 60 })).toMatchObject({
      detail: "expires_s: is only allowed with task_id",
    });
    expect(await mcp.fail("ask_human", { question: "x".repeat(4001) })).toMatchObject({ field: "question" });
    const few = createMcpClient((await mintAgent(world, ["messages:write"])).client, era);
    expect(await few.fail("ask_human", { question: "?" })).toMatchObject({ code: "insufficient_scope" });
  });
});

describe.each(ERAS)("message_send in the %s era", (era) => {
  it("writes in a conversation, and answers another agent's question", async () => {
    const mcp = createMcpClient(asker, era);
    const { message_id: first, context_id: context } = await mcp.call("message_send", { text: "Hello" });
    const second = await mcp.call("message_send", { parts: [{ data: { a: 1 } }], context_id: context });
    expect(second.context_id).toBe(context);
    const { body } = await world.agent.get(`/api/v1/messages?context_id=${context}`);
    expect(body.messages.map(({ id }: { id: string }) => id)).toEqual([second.message_id, first]);
    const question = await world.agent.post("/api/v1/messages", { kind: "question", parts: [{ text: "?" }] });
    const answered = await mcp.call("message_send", {
      text: "!",
      kind: "answer",
      reply_to: question.body.message.id,
    });
    const { body: read } = await world.agent.get(`/api/v1/messages/${question.body.message.id}`);
    expect(read.message.answered_by_id).toBe(answered.message_id);
  });

  it("rejects no content, two contents, and an answer to nothing", async () => {
    const mcp = createMcpClient(asker, era);
    for (const given of [{}, { text: "a", parts: [{ text: "b" }] }]) {
      expect(await mcp.fail("message_send", given)).toMatchObject({ field: "text" });
    }
    expect(await mcp.fail("message_send", { text: "!", kind: "answer" })).toMatchObject({
      field: "reply_to_id",
    });
  });
});
