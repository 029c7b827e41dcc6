import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { search } from "../../../src/domain/search/search.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { inviteUser } from "../../../src/domain/users/invite-user.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import {
  createAgentCommand,
  insertTestAgent,
  insertTestEvalRun,
  insertTestMission,
} from "../../support/factories.ts";
import { personCtx } from "../../support/person-ctx.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

/** What is found, as kinds and names. */
async function find(text: string): Promise<string[]> {
  return (await search(ctx, { text })).map(({ kind, name }) => `${kind} ${name}`);
}

describe("search", () => {
  it("finds things of each kind by words of their names, and nothing of another workspace", async () => {
    const agentId = await insertTestAgent(ctx, "robot");
    const named = { name: "Refund bot", handle: `refund-${agentId.slice(-6)}` };
    await ctx.db.agent.updateMany({ where: { id: agentId }, data: named });
    const task = await createTask(ctx, { title: "Refund order-42" });
    await sendMessage(ctx, { contextId: task.contextId, parts: [{ text: "Hello" }] });
    await insertTestMission(ctx, { title: "Bring refund slips" });
    await createAgentCommand(ctx, agentId, { type: "crm.refund" });
    await insertTestEvalRun(ctx, { name: "nightly", suite: "refund-suite" });
    await inviteUser(ctx, { email: "ada@refund.example", name: "Ada", role: "viewer" });
    expect(await find("refund")).toEqual([
      "agent Refund bot",
      "robot Refund bot",
      "task Refund order-42",
      "mission Bring refund slips",
      "agent_command crm.refund",
      "eval_run nightly",
      "conversation Refund order-42",
      "member Ada",
    ]);
    // No word of hexadecimal digits: ids may begin with them.
    expect(await find("ORD REF")).toEqual(["task Refund order-42", "conversation Refund order-42"]);
    const other = server.systemCtx((await server.createWorkspace()).workspaceId);
    expect(await search(other, { text: "refund" })).toEqual([]);
    expect(await search(ctx, { text: "refund", kinds: ["task", "task"] })).toHaveLength(1);
  });

  it("finds anything by the first eight characters of its id, and no less", async () => {
    const { id } = await createTask(ctx, { title: "Weigh" });
    for (const text of [
      id,
      id.slice(0, 8),
      id.slice(0, 13).toUpperCase(),
      id.replaceAll("-", "").slice(0, 20),
    ]) {
      expect(await search(ctx, { text, kinds: ["task", "mission"] })).toMatchObject([{ id, name: "Weigh" }]);
    }
    expect(await find(id)).toEqual(["task Weigh"]);
    expect(await find(id.slice(0, 7))).toEqual([]);
    const other = server.systemCtx((await server.createWorkspace()).workspaceId);
    expect(await search(other, { text: id })).toEqual([]);
  });

  it("tells an agent's control state and a task's status", async () => {
    const agentId = await insertTestAgent(ctx);
    await ctx.db.agent.updateMany({
      where: { id: agentId },
      data: { name: "Stamp", controlState: "paused" },
    });
    await createTask(ctx, { title: "Stamp it", queue: "post" });
    const found = await search(ctx, { text: "stamp", kinds: ["agent", "task"] });
    expect(found).toMatchObject([
      { kind: "agent", id: agentId, status: "paused" },
      { kind: "task", status: "submitted", detail: "post", createdAt: expect.any(Date) },
    ]);
  });

  it.each([
    "",
    " ",
    "%_",
    "&|!:*'",
    "x".repeat(101),
    "a\0",
    "a b c d e f g h i j k",
    "a-b-c-d-e-f-g-h-i-j-k",
  ])("refuses the text %j", async (text) => {
    const refused = { code: "validation_failed", details: { field: "text" } };
    await expect(search(ctx, { text })).rejects.toMatchObject(refused);
  });

  it("is for people", async () => {
    const id = await insertTestAgent(ctx);
    const asAgent = agentCtx(server, { id, workspaceId: ctx.workspaceId });
    await expect(search(asAgent, { text: "refund" })).rejects.toMatchObject({ code: "forbidden" });
    const person = await inviteUser(ctx, { email: "bo@example.com", name: "Bo", role: "viewer" });
    const viewer = personCtx(server, { id: person, workspaceId: ctx.workspaceId }, { role: "viewer" });
    expect(await search(viewer, { text: "bo" })).toMatchObject([{ kind: "member", name: "Bo" }]);
  });
});

describe("the cost of a search among 50,000 missions, runs and commands", () => {
  let session: pg.Pool;
  let large: Ctx;

  beforeAll(async () => {
    large = server.systemCtx((await server.createWorkspace()).workspaceId);
    const agentId = await insertTestAgent(large);
    await server.database.query(
      `INSERT INTO mission (workspace_id, id, title, kind, created_by, created_at)
       SELECT $1::uuid, gen_random_uuid(), 'Bring crate ' || n, 'custom', '{}', now() - n * interval '1 second'
       FROM generate_series(1, 50000) n`,
      [large.workspaceId],
    );
    await server.database.query(
      `INSERT INTO eval_run (workspace_id, id, suite, name, created_by, created_at)
       SELECT $1::uuid, gen_random_uuid(), 'crates', 'Run ' || n, '{}', now() - n * interval '1 second'
       FROM generate_series(1, 50000) n`,
      [large.workspaceId],
    );
    await server.database.query(
      `INSERT INTO agent_command (workspace_id, id, agent_id, seq, type, issued_by, expires_at, created_at)
       SELECT $1::uuid, gen_random_uuid(), $2::uuid, n, 'crate.' || n % 7, '{}', now(), now() - n * interval '1 second'
       FROM generate_series(1, 50000) n`,
      [large.workspaceId, agentId],
    );
    await server.database.query("VACUUM ANALYZE mission, eval_run, agent_command");
    session = new pg.Pool({ connectionString: server.database.url });
  });

  afterAll(() => session.end());

  it.each(["4711", "01234567", "unheard", "crate"])("is small for %s", async (text) => {
    const plans: number[] = [];
    const listening: Ctx = {
      ...large,
      read: async (statement, values) => {
        const { rows } = await session.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`,
          [...values],
        );
        for (const {
          "QUERY PLAN": [{ Plan: plan }],
        } of rows) {
          plans.push((plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0));
        }
        return large.read(statement, values);
      },
    };
    await search(listening, { text });
    expect(plans.reduce((sum, blocks) => sum + blocks, 0)).toBeLessThan(6000);
  });
});
