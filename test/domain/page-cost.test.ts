import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Statement } from "../../src/db/sql.ts";
import { TABLES } from "../../src/db/columns.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { positionCursor } from "../../src/domain/kernel/cursors.ts";
import { listTasks } from "../../src/domain/tasks/list-tasks.ts";
import { type ListedRow, type PageQuery, readPage } from "../../src/domain/kernel/page.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { insertTaskRows } from "../support/task-rows.ts";

const SMALL = 1000;
const LARGE = 200_000;

/** A node of a plan from EXPLAIN. */
type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: PlanNode[];
};
type Asked = { statement: Statement; values: readonly unknown[] };

let server: TestServer;
let small: Ctx;
let large: Ctx;
let session: pg.Client;

beforeAll(async () => {
  server = await startTestServer();
  [small, large] = [await createFilledWorkspace(SMALL), await createFilledWorkspace(LARGE)];
  await server.database.query("VACUUM ANALYZE");
  session = new pg.Client({ connectionString: server.database.url });
  await session.connect();
});

afterAll(async () => {
  await session.end();
  await server.close();
});

async function createFilledWorkspace(count: number): Promise<Ctx> {
  const { workspaceId } = await server.createWorkspace();
  await insertTaskRows(server.database, workspaceId, { count });
  return server.systemCtx(workspaceId);
}

/** The statements run by readPage. */
async function recordStatements(ctx: Ctx, list: Partial<PageQuery>): Promise<Asked[]> {
  return record(ctx, (recording) =>
    readPage(recording, { table: TABLES.task, collection: "tasks", page: {}, ...list }),
  );
}

async function record(ctx: Ctx, list: (recording: Ctx) => Promise<unknown>): Promise<Asked[]> {
  const asked: Asked[] = [];
  const recording: Ctx = {
    ...ctx,
    read: (statement, values) => {
      asked.push({ statement, values });
      return ctx.read(statement, values);
    },
    get db(): never {
      throw new Error("a page is read by statements of its own");
    },
  };
  await list(recording);
  return asked;
}

/** The plan of a prepared statement: for its values, or the generic one that PostgreSQL may switch to. */
async function readPlan({ statement, values }: Asked, mode: "custom" | "generic"): Promise<PlanNode[]> {
  await session.query(`SET plan_cache_mode = force_${mode}_plan`);
  await session.query(`PREPARE asked AS ${statement.text}`);
  const given = values.map((value) =>
    pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)),
  );
  const { rows } = await session.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE asked (${given.join(", ")})`,
  );
  await session.query("DEALLOCATE asked");
  const plan = rows[0]?.["QUERY PLAN"][0].Plan;
  if (plan === undefined) throw new Error("no plan");
  return flatten(plan);
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

function countBuffers([root]: PlanNode[]): number {
  return root === undefined ? Infinity : root["Shared Hit Blocks"] + root["Shared Read Blocks"];
}

async function readMiddleCursor(ctx: Ctx): Promise<string> {
  const [row] = await server.database.query<ListedRow>(
    `SELECT id, created_at AS "createdAt" FROM task WHERE workspace_id = $1
     ORDER BY created_at DESC, id DESC OFFSET (SELECT count(*) / 2 FROM task WHERE workspace_id = $1) LIMIT 1`,
    [ctx.workspaceId],
  );
  if (row === undefined) throw new Error("no rows");
  return positionCursor(row);
}

describe("the cost of a search", () => {
  it("does not include the words of another workspace", async () => {
    // It has 11,111 words that begin with 9, and the small one has 111.
    const [counted] = await record(small, (recording) => listTasks(recording, {}, { search: "9" }));
    if (counted === undefined) throw new Error("nothing was asked");
    expect(countBuffers(await readPlan(counted, "custom"))).toBeLessThan(30);
  });
});

describe("the cost of readPage", () => {
  it("is one statement", async () => {
    const after = await readMiddleCursor(small);
    for (const page of [
      {},
      { first: 0 },
      { first: 10, after },
      { last: 10, before: after },
      { offset: 20 },
    ]) {
      expect(await recordStatements(small, { page })).toHaveLength(1);
    }
    expect(await recordStatements(small, { status: "failed", page: { all: true } })).toHaveLength(1);
  });

  it.each([{}, { status: "completed" }])(
    "of a large offset does not include the rows before it (%j)",
    async (list) => {
      const [asked] = await recordStatements(large, { ...list, page: { offset: 90_000, first: 50 } });
      if (asked === undefined) throw new Error("nothing was asked");
      const plan = await readPlan(asked, "custom");
      for (const node of plan.filter((some) => some["Node Type"] !== "Index Only Scan")) {
        expect(node["Actual Rows"]).toBeLessThanOrEqual(51);
      }
      // Of 90,000 entries of an index, dozens are in a block.
      expect(countBuffers(plan)).toBeLessThan(3000);
    },
  );

  it.each(["custom", "generic"] as const)(
    "is the same for 1,000 and for 200,000 rows, without a scan or a sort of the table (%s plan)",
    async (mode) => {
      const [middles, limit] = [[await readMiddleCursor(small), await readMiddleCursor(large)], 50];
      const lists = (middle = ""): Partial<PageQuery>[] => [
        { page: {} },
        { page: { offset: 50 } },
        { page: { first: limit, after: middle } },
        { page: { last: limit, before: middle } },
        { page: { last: limit } },
        { page: {}, status: "completed" },
        { page: { first: 9 }, status: "failed" },
        { page: {}, status: "working" },
      ];
      for (const [index, list] of lists(middles[0]).entries()) {
        const [asked] = await recordStatements(small, list);
        const [askedOfLarge] = await recordStatements(large, lists(middles[1])[index] ?? {});
        if (asked === undefined || askedOfLarge === undefined) throw new Error("nothing was asked");
        // The first run of a statement also reads the catalog.
        await readPlan(asked, mode);
        const [cheap, dear] = [await readPlan(asked, mode), await readPlan(askedOfLarge, mode)];
        expect(countBuffers(dear)).toBeLessThanOrEqual(countBuffers(cheap) + 10);
        for (const node of dear.filter((some) => some["Relation Name"] === "task")) {
          expect(node["Node Type"]).toMatch(/^Index/);
          expect(node["Rows Removed by Filter"] ?? 0).toBe(0);
        }
        for (const node of dear) expect(node["Actual Rows"]).toBeLessThanOrEqual(2 * limit + 1);
      }
    },
  );
});
