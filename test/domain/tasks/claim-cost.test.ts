import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimStatement, readyStatement } from "../../../src/domain/tasks/claim-statement.ts";
import { READY } from "../../../src/domain/tasks/claim-turns.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

const SMALL = 1000;
const LARGE = 100_000;

/** A node of a plan from EXPLAIN. */
type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: PlanNode[];
};
type Queue = { workspaceId: string; agentId: string };

let server: TestServer;
let session: pg.Client;
let small: Queue;
let large: Queue;

beforeAll(async () => {
  server = await startTestServer();
  [small, large] = [await createQueue(SMALL), await createQueue(LARGE)];
  await server.database.query("VACUUM ANALYZE task");
  session = new pg.Client({ connectionString: server.database.url });
  await session.connect();
});

afterAll(async () => {
  await session.end();
  await server.close();
});

/** Creates a workspace with waiting tasks. Of ten, one is for tomorrow, one for another agent, and one in another queue. */
async function createQueue(count: number): Promise<Queue> {
  const { workspaceId } = await server.createWorkspace();
  const ctx = server.systemCtx(workspaceId);
  const [agentId, otherId] = [await insertTestAgent(ctx), await insertTestAgent(ctx)];
  await server.database.query(
    `INSERT INTO task (workspace_id, id, context_id, title, queue, priority, run_after, assignee_agent_id, created_by, created_at)
     SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'x', CASE WHEN n % 10 = 1 THEN 'c' WHEN n % 2 = 0 THEN 'a' ELSE 'b' END,
       CASE WHEN n % 10 = 2 THEN 9 ELSE n % 7 END, CASE WHEN n % 10 = 2 THEN now() + interval '1 day' END,
       CASE WHEN n % 10 = 3 THEN $3::uuid END, '{"type":"system","id":null,"name":"test"}', now() - n * interval '1 second'
     FROM generate_series(1, $2::int) n`,
    [workspaceId, count, otherId],
  );
  return { workspaceId, agentId };
}

async function readPlan(
  mode: "custom" | "generic",
  text: string,
  values: (string | number | null)[],
): Promise<PlanNode[]> {
  await session.query(`SET plan_cache_mode = force_${mode}_plan`);
  await session.query("BEGIN");
  await session.query(`PREPARE asked AS ${text}`);
  const given = values.map((value) => (value === null ? "NULL" : pg.escapeLiteral(`${value}`)));
  const { rows } = await session.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE asked (${given.join(", ")})`,
  );
  await session.query("DEALLOCATE asked");
  await session.query("ROLLBACK");
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

describe.each(["custom", "generic"] as const)("the cost of a claim (%s plan)", (mode) => {
  async function expectFlat(
    text: string,
    valuesFor: (queue: Queue) => (string | number | null)[],
  ): Promise<void> {
    // The first run of a statement also reads the catalog.
    await readPlan(mode, text, valuesFor(small));
    const cheap = await readPlan(mode, text, valuesFor(small));
    const dear = await readPlan(mode, text, valuesFor(large));
    expect(countBuffers(dear)).toBeLessThanOrEqual(countBuffers(cheap) * 1.5 + 60);
    for (const node of dear.filter((some) => some["Relation Name"] === "task")) {
      expect(node["Node Type"]).not.toBe("Seq Scan");
      expect(node["Actual Rows"]).toBeLessThanOrEqual(64);
    }
  }

  it("is the same for 1,000 and for 100,000 waiting tasks", async () => {
    const digest = `\\x${"00".repeat(32)}`;
    for (const queues of [["a"], ["a", "b"]]) {
      await expectFlat(claimStatement(queues.length).text, ({ workspaceId, agentId }) => [
        ...[workspaceId, agentId, ...queues, 60, digest, null],
      ]);
    }
  });

  it("is the same for the check before it", async () => {
    await expectFlat(readyStatement(2).text, ({ workspaceId, agentId }) => [
      workspaceId,
      agentId,
      "a",
      "b",
      null,
    ]);
  });

  it("is the same for the poll for those that wait", async () => {
    await expectFlat(READY.text, ({ workspaceId, agentId }) => [
      ...[workspaceId, `{${agentId},${agentId}}`, "{a,b}", null],
    ]);
  });
});
