import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Statement } from "../../../src/db/sql.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { cancelTask } from "../../../src/domain/tasks/cancel-task.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { changeCursor } from "../../../src/domain/kernel/cursors.ts";
import { listTasks } from "../../../src/domain/tasks/list-tasks.ts";
import { readTaskCounts } from "../../../src/domain/tasks/read-task-counts.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

type Filter = NonNullable<Parameters<typeof listTasks>[2]>;

const LARGE = 100_000;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

async function newCtx(): Promise<Ctx> {
  const { workspaceId } = await server.createWorkspace();
  return server.systemCtx(workspaceId);
}

async function titles(ctx: Ctx, filter: Filter): Promise<string[]> {
  const { nodes, total } = await listTasks(ctx, {}, filter);
  expect(total).toBe(nodes.length);
  return nodes.map(({ title }) => title);
}

describe("listTasks", () => {
  it("pages by last change in both directions, and rejects a cursor of another order", async () => {
    const ctx = await newCtx();
    const ids: string[] = [];
    for (const title of ["a", "b", "c"]) ids.push((await createTask(ctx, { title })).id);
    for (const [index, day] of [3, 1, 2].entries()) {
      await server.database.query("UPDATE task SET updated_at = $2 WHERE id = $1", [
        ids[index],
        new Date(Date.UTC(2020, 0, day)),
      ]);
    }
    const order = { by: "updatedAt", isOldestFirst: false } as const;
    const first = await listTasks(ctx, { first: 2 }, { order });
    expect(first.nodes.map(({ title }) => title)).toEqual(["a", "c"]);
    const [, last] = first.nodes;
    const after = last === undefined ? "" : changeCursor(last);
    const second = await listTasks(ctx, { first: 2, after }, { order });
    expect(second.nodes.map(({ title }) => title)).toEqual(["b"]);
    expect([first.hasNextPage, second.hasNextPage]).toEqual([true, false]);
    const before = await listTasks(ctx, { last: 2, before: after }, { order });
    expect(before.nodes.map(({ title }) => title)).toEqual(["a"]);
    const oldest = { ...order, isOldestFirst: true };
    const turned = await listTasks(ctx, { first: 2, after }, { order: oldest });
    expect(turned.nodes.map(({ title }) => title)).toEqual(["a"]);
    await expect(listTasks(ctx, { after })).rejects.toMatchObject({ code: "validation_failed" });
  });

  it.each([
    ["refund", ["Refund order-42 of Łódź (urgent!)", "Refunds"]],
    ["REFUND 42", ["Refund order-42 of Łódź (urgent!)"]],
    ["r R REF refund re 42 42 4", ["Refund order-42 of Łódź (urgent!)"]],
    ["łód", ["Refund order-42 of Łódź (urgent!)"]],
    ["urgent", ["Refund order-42 of Łódź (urgent!)"]],
    ["und", []],
    ["ship:* | refund", []],
    ["it's", ["Ship it's \\ box"]],
    ["box & ship", ["Ship it's \\ box"]],
  ])("finds %s by prefixes of words, in any order and case", async (search, found) => {
    const ctx = await newCtx();
    const other = await newCtx();
    for (const title of ["Refunds", "Ship it's \\ box", "Refund order-42 of Łódź (urgent!)"]) {
      await createTask(ctx, { title });
      await createTask(other, { title });
    }
    expect(await titles(ctx, { search })).toEqual(found);
  });

  it("doesn't find a task by its workspace's id", async () => {
    const ctx = await newCtx();
    await createTask(ctx, { title: "Weigh" });
    expect(await titles(ctx, { search: ctx.workspaceId.slice(0, 4) })).toEqual([]);
  });

  it.each(["", "  ", "&|!:*'", "x".repeat(101), "a\0", "a b c d e f g h i j k"])(
    "rejects the search %j",
    async (search) => {
      const ctx = await newCtx();
      await expect(listTasks(ctx, {}, { search: search === "" ? "-" : search })).rejects.toMatchObject({
        code: "validation_failed",
        details: { field: "search" },
      });
    },
  );

  it("filters by statuses, holder, labels, parent and creation time", async () => {
    const ctx = await newCtx();
    const id = await insertTestAgent(ctx);
    ctx.now = new Date("2026-05-01T12:00:00Z");
    const held = await createTask(ctx, { title: "held", labels: { region: "eu", tier: "1" }, priority: 9 });
    ctx.now = new Date("2026-05-01T13:00:00Z");
    const gone = await createTask(ctx, { title: "gone", labels: { region: "us" }, parentTaskId: held.id });
    await createTask(ctx, { title: "waits" });
    await claimTask(agentCtx(server, { id, workspaceId: ctx.workspaceId }), {});
    await cancelTask(ctx, { id: gone.id });
    expect(await titles(ctx, { statuses: ["working", "canceled"] })).toEqual(["gone", "held"]);
    expect(await titles(ctx, { claimedByAgentId: id })).toEqual(["held"]);
    expect(await titles(ctx, { labels: { region: "eu" } })).toEqual(["held"]);
    expect(await titles(ctx, { parentTaskId: held.id })).toEqual(["gone"]);
    expect(await titles(ctx, { createdTo: ctx.now })).toEqual(["held"]);
    expect(await titles(ctx, { createdFrom: ctx.now, search: "wait" })).toEqual(["waits"]);
    expect(await readTaskCounts(ctx)).toMatchObject({ submitted: 1, working: 1, canceled: 1 });
  });
});

describe("the cost of a filter on 100,000 tasks", () => {
  let ctx: Ctx;
  let session: pg.Client;
  let agentId: string;

  beforeAll(async () => {
    ctx = await newCtx();
    agentId = await insertTestAgent(ctx);
    const others = await newCtx();
    for (const { workspaceId } of [ctx, others]) {
      await server.database.query(
        `INSERT INTO task (workspace_id, id, context_id, title, status, labels, claimed_by_agent_id, created_by, created_at)
         SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'Refund order-' || n,
           (CASE WHEN n % 1000 = 0 THEN 'input_required' WHEN n % 1000 = 1 THEN 'working' ELSE 'completed' END)::task_status,
           jsonb_build_object('number', (n % 5000)::text), CASE WHEN n % 1000 = 0 AND $3 = $1::text THEN $4::uuid END,
           '{"type":"system","id":null,"name":"test"}', now() - n * interval '1 second'
         FROM generate_series(1, $2::int) n`,
        [workspaceId, LARGE, ctx.workspaceId, agentId],
      );
    }
    await server.database.query("VACUUM ANALYZE task");
    session = new pg.Client({ connectionString: server.database.url });
    await session.connect();
  });

  afterAll(() => session.end());

  /** How many pages of the table and index the list reads. */
  async function measureCost(filter: Filter): Promise<{ pages: number; nodes: string[] }> {
    const asked: { statement: Statement; values: readonly unknown[] }[] = [];
    await listTasks(
      {
        ...ctx,
        get db(): never {
          throw new Error("a list is read by statements of its own");
        },
        read: (statement, values) => {
          asked.push({ statement, values });
          return ctx.read(statement, values);
        },
      },
      {},
      filter,
    );
    expect(asked.length).toBe(filter.search === undefined ? 1 : 2);
    // Their best plan depends on the values, so they are not prepared.
    expect(new Set(asked.map(({ statement }) => statement.name))).toEqual(new Set([""]));
    const plans: Plan[] = [];
    for (const { statement, values } of asked) {
      const { rows } = await session.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`,
        [...values],
      );
      plans.push(...rows.flatMap((row) => row["QUERY PLAN"].map(({ Plan: plan }) => plan)));
    }
    const nodes = plans.flatMap(flatten).filter((node) => node["Relation Name"] === "task");
    return {
      pages: plans.reduce((sum, plan) => sum + plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], 0),
      nodes: nodes.map((node) => node["Node Type"]),
    };
  }

  it.each<[string, () => Filter]>([
    ["rare statuses", () => ({ statuses: ["working", "input_required"] })],
    ["a holder", () => ({ claimedByAgentId: agentId })],
    ["rare words", () => ({ search: "refund 42" })],
    ["a word in no title", () => ({ search: "unheard" })],
    ["a prefix of a rare word", () => ({ search: "1999" })],
    ["a label", () => ({ labels: { number: "17" } })],
    ["the last changes", () => ({ order: { by: "updatedAt", isOldestFirst: false } })],
    ["a day", () => ({ createdFrom: new Date(Date.now() - 600_000) })],
  ])("is a small part of the table for %s, using an index", async (_name, filter) => {
    const { pages, nodes } = await measureCost(filter());
    expect(nodes.length).toBeGreaterThan(0);
    for (const node of nodes) expect(node).not.toBe("Seq Scan");
    expect(pages).toBeLessThan(1500);
  });

  it("is bounded if every task matches", async () => {
    const started = performance.now();
    const { nodes, total } = await listTasks(ctx, {}, { search: "refund" });
    expect([nodes.length, total]).toEqual([50, null]);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

/** A node of a plan from EXPLAIN. */
type Plan = {
  "Node Type": string;
  "Relation Name"?: string;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: Plan[];
};

function flatten(node: Plan): Plan[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
