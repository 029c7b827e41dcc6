import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { listConversations } from "../../../src/domain/conversations/list-conversations.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { positionCursor } from "../../../src/domain/kernel/page.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

async function newCtx(): Promise<Ctx> {
  const { workspaceId } = await server.createWorkspace();
  return server.systemCtx(workspaceId);
}

async function say(ctx: Ctx, second: number, contextId: string): Promise<string> {
  ctx.now = new Date(Date.UTC(2026, 0, 1, 0, 0, second));
  return (await sendMessage(ctx, { contextId, parts: [{ text: `At ${second}` }] })).message.id;
}

describe("listConversations", () => {
  it("gives each context once, by its last message, with how many it has", async () => {
    const ctx = await newCtx();
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
    await say(ctx, 1, one);
    const lastOfTwo = await say(ctx, 2, two);
    const lastOfOne = await say(ctx, 3, one);
    const other = await newCtx();
    await say(other, 4, one);
    const { nodes, total, hasNextPage } = await listConversations(ctx, {});
    expect(
      nodes.map(({ contextId, id, messageCount, waits }) => [contextId, id, messageCount, waits]),
    ).toEqual([
      [one, lastOfOne, 2n, false],
      [two, lastOfTwo, 1n, false],
    ]);
    expect([total, hasNextPage]).toEqual([2, false]);
  });

  it("goes on after a conversation", async () => {
    const ctx = await newCtx();
    const contexts = Array.from({ length: 5 }, () => crypto.randomUUID());
    for (const [second, context] of contexts.entries()) await say(ctx, second, context);
    const first = await listConversations(ctx, { first: 2 });
    const [, last] = first.nodes;
    if (last === undefined) throw new Error("a short page");
    const rest = await listConversations(ctx, { first: 9, after: positionCursor(last) });
    const seen = [...first.nodes, ...rest.nodes].map(({ contextId }) => contextId);
    expect(seen).toEqual(contexts.toReversed());
  });

  it("finds those in which a question waits, and the task that it is about", async () => {
    const ctx = await newCtx();
    const id = await insertTestAgent(ctx);
    const agent = agentCtx(server, { id, workspaceId: ctx.workspaceId });
    await say(ctx, 1, crypto.randomUUID());
    ctx.now = null;
    const task = await createTask(ctx, { title: "Refund" });
    const claim = await claimTask(agent, {});
    const { message: asked } = await sendMessage(agent, {
      kind: "question",
      taskId: task.id,
      leaseToken: claim?.lease.token ?? "",
      parts: [{ text: "How much?" }],
    });
    const { message: loose } = await sendMessage(agent, { kind: "question", parts: [{ text: "Hello?" }] });
    const waiting = async () =>
      (await listConversations(ctx, {}, { waiting: true })).nodes.map(({ contextId, taskTitle }) => [
        contextId,
        taskTitle,
      ]);
    expect(await waiting()).toEqual([
      [loose.contextId, null],
      [task.contextId, "Refund"],
    ]);
    await sendMessage(ctx, { kind: "answer", replyToId: asked.id, parts: [{ text: "All of it" }] });
    await sendMessage(ctx, { kind: "answer", replyToId: loose.id, parts: [{ text: "Yes" }] });
    expect(await waiting()).toEqual([]);
    expect((await listConversations(ctx, {})).nodes).toHaveLength(3);
  });

  it("reads a page of 100,000 messages without reading them all", async () => {
    const ctx = await newCtx();
    await server.database.query(
      `INSERT INTO message (workspace_id, id, context_id, role, sender, parts, created_at)
       SELECT $1::uuid, gen_random_uuid(), md5((n / 10)::text)::uuid, 'user', '{"type":"system","id":null,"name":"x"}',
         '[{"text":"x"}]', now() - n * interval '1 second' FROM generate_series(1, 100000) n`,
      [ctx.workspaceId],
    );
    await server.database.query("VACUUM ANALYZE message");
    const asked: [string, readonly unknown[]][] = [];
    const { nodes, total } = await listConversations(
      {
        ...ctx,
        get db(): never {
          throw new Error("a list is read by statements of its own");
        },
        read: (statement, values) => {
          asked.push([statement.text, values]);
          return ctx.read(statement, values);
        },
      },
      {},
    );
    expect([nodes.length, total, asked.length]).toEqual([50, null, 1]);
    const [[text, values] = ["", []]] = asked;
    const [row] = await server.database.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      [...values],
    );
    const plan = row?.["QUERY PLAN"][0].Plan ?? {};
    expect((plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0)).toBeLessThan(10_000);
  });

  it("refuses an actor without the scope", async () => {
    const ctx = await newCtx();
    const id = await insertTestAgent(ctx);
    const agent = agentCtx(server, { id, workspaceId: ctx.workspaceId }, { scopes: ["tasks:read"] });
    expect(await getErrorCode(listConversations(agent, {}))).toBe("insufficient_scope");
  });
});
