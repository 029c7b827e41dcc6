import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { listConversations } from "../../../src/domain/conversations/list-conversations.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { positionCursor } from "../../../src/domain/kernel/cursors.ts";
import type { PageArgs } from "../../../src/domain/kernel/page.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode } from "../../support/callers.ts";
import { countBlocks, countLookups, explainList } from "../../support/explain-list.ts";
import { readConversationTruths } from "../../support/conversations.ts";
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

/** Open questions, newer than all others. `context` is an SQL expression of their number `n`. */
async function insertQuestions(ctx: Ctx, count: number, context: string): Promise<void> {
  await server.database.query(
    `WITH asked AS (
       INSERT INTO message (workspace_id, id, context_id, role, sender, kind, waiting, parts, created_at)
       SELECT $1::uuid, gen_random_uuid(), md5((${context})::text)::uuid, 'user', '{"type":"system","id":null,"name":"x"}',
         'question', true, '[{"text":"x"}]', now() + n * interval '1 second' FROM generate_series(1, $2::int) n
       RETURNING context_id, id, created_at
     )
     INSERT INTO conversation (workspace_id, context_id, last_message_id, last_message_at, message_count, waiting)
     SELECT $1, context_id, (array_agg(id ORDER BY created_at DESC))[1], max(created_at), count(*), true
     FROM asked GROUP BY context_id`,
    [ctx.workspaceId, count],
  );
  await server.database.query("VACUUM ANALYZE message, conversation");
}

describe("listConversations", () => {
  it("lists each conversation once, by its last message, with its message count", async () => {
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
      [one, lastOfOne, 2, false],
      [two, lastOfTwo, 1, false],
    ]);
    expect([total, hasNextPage]).toEqual([2, false]);
  });

  it("continues after a cursor", async () => {
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

  it("selects those with an open question, with its task", async () => {
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

  it.each([
    ["in one context", "1"],
    ["in different contexts", "n"],
  ])("reads a page of 20,000 open questions %s as fast as one of few", async (_where, context) => {
    const ctx = await newCtx();
    await say(ctx, 1, crypto.randomUUID());
    await insertQuestions(ctx, 20_000, context);
    for (const filter of [{}, { waiting: true }]) {
      const explain = (page: PageArgs) =>
        explainList(server, ctx, async (listening) => listConversations(listening, page, filter));
      expect(countBlocks(await explain({}))).toBeLessThan(2000);
      expect(countLookups(await explain({ offset: 15_000 }), "task")).toBeLessThan(100);
    }
  });

  it("keeps conversations consistent with their messages under concurrent writes", async () => {
    const ctx = await newCtx();
    const contexts = Array.from({ length: 3 }, () => crypto.randomUUID());
    const writers = Array.from({ length: 30 }, async (_none, index) => {
      const contextId = contexts[index % contexts.length] ?? null;
      const { message } = await sendMessage(ctx, { contextId, kind: "question", parts: [{ text: "?" }] });
      await sendMessage(ctx, { contextId, parts: [{ text: "x" }] });
      if (index % 2 === 0) {
        await sendMessage(ctx, { kind: "answer", replyToId: message.id, parts: [{ text: "!" }] });
      }
    });
    await Promise.all(writers);
    const { kept, true: expected } = await readConversationTruths(server, ctx.workspaceId);
    expect(kept).toEqual(expected);
    const { nodes } = await listConversations(ctx, {}, { waiting: true });
    expect(nodes.map(({ messageCount }) => messageCount)).toEqual([25, 25, 25]);
  });

  it("rejects an actor without the scope", async () => {
    const ctx = await newCtx();
    const id = await insertTestAgent(ctx);
    const agent = agentCtx(server, { id, workspaceId: ctx.workspaceId }, { scopes: ["tasks:read"] });
    expect(await getErrorCode(listConversations(agent, {}))).toBe("insufficient_scope");
  });
});
