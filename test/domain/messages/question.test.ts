import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { listMessages } from "../../../src/domain/messages/list-messages.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { TASK_ACTS, createTaskScene, sceneIn, readStoredTask } from "../../support/task-scene.ts";
import { createWorker } from "../../support/workers.ts";

const parts = [{ text: "x" }];

let server: TestServer;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestServer();
  ({ workspaceId } = await server.createWorkspace());
});

afterAll(() => server.close());

describe("a question about a task", () => {
  it("lets the task wait, with one event each", async () => {
    const scene = await sceneIn({ server, workspaceId }, "input_required");
    const events = await server.database.query(
      "SELECT type, data ->> 'status' AS status FROM event WHERE workspace_id = $1 AND agent_id = $2 AND subject_type <> 'trace' ORDER BY seq",
      [workspaceId, scene.worker.agentId],
    );
    expect(events.slice(-1)).toEqual([{ type: "task.updated", status: "input_required" }]);
    expect(await readStoredTask(scene)).toMatchObject({ leaseExpiresAt: null, attempt: 1 });
  });

  it("requires the current lease of the task's holder", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    const question = { kind: "question" as const, taskId: scene.id, parts };
    await expect(sendMessage(scene.worker, question)).rejects.toMatchObject({
      code: "validation_failed",
      details: { field: "leaseToken" },
    });
    expect(await getErrorCode(sendMessage(scene.worker, { ...question, leaseToken: "other" }))).toBe(
      "lease_lost",
    );
    const outsider = await createWorker(server, workspaceId);
    expect(await getErrorCode(sendMessage(outsider, { ...question, leaseToken: scene.token }))).toBe(
      "lease_lost",
    );
    expect((await readStoredTask(scene)).status).toBe("working");
  });

  it("of anyone else is a normal message", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    await sendMessage(scene.operator, { kind: "question", taskId: scene.id, parts });
    await sendMessage(await createWorker(server, workspaceId), { kind: "question", taskId: scene.id, parts });
    expect((await readStoredTask(scene)).status).toBe("working");
  });

  it("that is sent again lets the task wait only once", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    const id = crypto.randomUUID();
    const question = { id, kind: "question" as const, taskId: scene.id, parts, leaseToken: scene.token };
    expect((await sendMessage(scene.worker, question)).created).toBe(true);
    const { generation } = await readStoredTask(scene);
    expect((await sendMessage(scene.worker, question)).created).toBe(false);
    expect((await readStoredTask(scene)).generation).toBe(generation);
  });

  it("is the one answered, even if another was sent in the same millisecond", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    for (const ctx of [scene.worker, scene.operator]) ctx.now = new Date();
    const about = { kind: "question" as const, taskId: scene.id, parts, leaseToken: scene.token };
    // The ids sort in reverse order.
    const [first, second] = [
      `ffffffff-${crypto.randomUUID().slice(9)}`,
      `00000000-${crypto.randomUUID().slice(9)}`,
    ];
    await sendMessage(scene.worker, { ...about, id: first });
    await sendMessage(scene.operator, { kind: "answer", replyToId: first, parts });
    expect((await readStoredTask(scene)).status).toBe("working");
    await sendMessage(scene.worker, { ...about, id: second });
    expect((await readStoredTask(scene)).status).toBe("input_required");
    await sendMessage(scene.operator, { kind: "answer", replyToId: second, parts });
    expect((await readStoredTask(scene)).status).toBe("working");
  });

  it("accepts a lease and timeout only for a question", async () => {
    const { worker, id } = await createTaskScene(server, workspaceId);
    for (const wrong of [
      { kind: "text" as const, taskId: id, leaseToken: "x" },
      { kind: "question" as const, leaseToken: "x" },
      { kind: "notice" as const, taskId: id, inputTimeoutSeconds: 5 },
    ]) {
      expect(await getErrorCode(sendMessage(worker, { parts, ...wrong }))).toBe("validation_failed");
    }
  });

  it("rejects an actor without the scope to work", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    const { actor } = scene.worker;
    if (actor.type === "agent") scene.worker.actor = { ...actor, scopes: new Set(["messages:write"]) };
    expect(await getErrorCode(TASK_ACTS.ask(scene))).toBe("insufficient_scope");
  });
});

describe("an answer", () => {
  it("continues the task only if it answers the open question", async () => {
    const scene = await createTaskScene(server, workspaceId);
    const early = await sendMessage(scene.worker, { kind: "question", taskId: scene.id, parts });
    await TASK_ACTS.claim(scene);
    // A moment later, the task waits for its holder's last question.
    if (scene.worker.now) scene.worker.now = new Date(scene.worker.now.getTime() + 1);
    await TASK_ACTS.ask(scene);
    await sendMessage(scene.operator, { kind: "answer", replyToId: early.message.id, parts });
    expect((await readStoredTask(scene)).status).toBe("input_required");
    await TASK_ACTS.answer(scene);
    expect((await readStoredTask(scene)).status).toBe("working");
    expect(await getErrorCode(TASK_ACTS.answer(scene))).toBe("invalid_state");
  });
});

describe("an agent's answer", () => {
  async function answerBy(ctx: Ctx, replyToId: string): Promise<string> {
    return getErrorCode(sendMessage(ctx, { kind: "answer", replyToId, parts }));
  }

  it("to another agent's question continues the task", async () => {
    const scene = await sceneIn({ server, workspaceId }, "input_required");
    const supervisor = await createWorker(server, workspaceId);
    expect(await answerBy(supervisor, scene.questionId)).toBe("");
    expect((await readStoredTask(scene)).status).toBe("working");
  });

  it("to its own question is rejected with any credential", async () => {
    const scene = await sceneIn({ server, workspaceId }, "input_required");
    const before = await readStoredTask(scene);
    expect(await answerBy(scene.worker, scene.questionId)).toBe("forbidden");
    const renewed = agentCtx(server, { id: scene.worker.agentId, workspaceId });
    expect(await answerBy(renewed, scene.questionId)).toBe("forbidden");
    expect(await readStoredTask(scene)).toEqual(before);
    expect(await answerBy(scene.operator, scene.questionId)).toBe("");
  });

  it("to a question for another agent is rejected", async () => {
    const { operator, worker } = await createTaskScene(server, workspaceId);
    const recipientAgentId = worker.agentId;
    const { message } = await sendMessage(operator, { kind: "question", recipientAgentId, parts });
    expect(await answerBy(await createWorker(server, workspaceId), message.id)).toBe("forbidden");
    expect(await answerBy(worker, message.id)).toBe("");
  });
});

describe("a user's answer", () => {
  it("can be to any question, also their own, and one for an agent", async () => {
    const { operator, worker } = await createTaskScene(server, workspaceId);
    for (const recipientAgentId of [null, worker.agentId]) {
      const { message } = await sendMessage(operator, { kind: "question", recipientAgentId, parts });
      const answer = { kind: "answer" as const, replyToId: message.id, parts };
      expect((await sendMessage(operator, answer)).created).toBe(true);
    }
  });
});

describe("a message sent again with its id", () => {
  it("is the same, even if its sender was renamed", async () => {
    const worker = await createWorker(server, workspaceId);
    const asked = { id: crypto.randomUUID(), parts };
    const { message } = await sendMessage(worker, asked);
    const renamed = { ...worker, actor: { ...worker.actor, name: "Another name" } };
    renamed.transaction = (work) => worker.transaction((tx) => work({ ...tx, ctx: renamed }));
    expect(await sendMessage(renamed, asked)).toMatchObject({ created: false, message: { id: message.id } });
    const outsider = await createWorker(server, workspaceId);
    expect(await getErrorCode(sendMessage(outsider, asked))).toBe("id_conflict");
  });
});

describe("listMessages", () => {
  it("selects messages by context, task, kind and recipient", async () => {
    const { worker, operator, id } = await createTaskScene(server, workspaceId);
    const { contextId } = await createTask(worker, { title: "Elsewhere" });
    const toMe = await sendMessage(operator, { taskId: id, recipientAgentId: worker.agentId, parts });
    const question = await sendMessage(operator, { contextId, kind: "question", parts });
    const find = async (filter: Parameters<typeof listMessages>[2]) => {
      const page = await listMessages(worker, {}, filter);
      expect(page.total).toBe(page.nodes.length);
      return page.nodes.map((message) => message.id);
    };
    expect(await find({ taskId: id })).toEqual([toMe.message.id]);
    expect(await find({ contextId })).toEqual([question.message.id]);
    expect(await find({ contextId, kind: "text" })).toEqual([]);
    expect(await find({ toMe: true })).toEqual([toMe.message.id]);
    expect(await getErrorCode(listMessages(operator, {}, { toMe: true }))).toBe("forbidden");
  });
});
