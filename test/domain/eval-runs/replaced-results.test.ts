import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addEvalResults } from "../../../src/domain/eval-runs/add-eval-results.ts";
import { openCtx } from "../../../src/domain/kernel/context.ts";
import { createEvalScene } from "../../support/eval-scene.ts";
import { type ExecutedNode, explainAsked, recordStatements } from "../../support/recorded-statements.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

const RESULTS = 3000;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe("a replaced result", () => {
  it("is counted by its difference, without reading the other results", async () => {
    const { workspaceId } = await server.createWorkspace();
    const { reporter, id: runId } = await createEvalScene(server, workspaceId);
    await server.database.query(
      `INSERT INTO eval_result (workspace_id, id, eval_run_id, item_key, input, status, scores)
       SELECT $1, gen_random_uuid(), $2, 'q-' || n, '{}', 'passed', '[{"name": "s", "value": 1}]'
       FROM generate_series(1, $3::int) n`,
      [workspaceId, runId, RESULTS],
    );
    await server.database.query("ANALYZE eval_result");
    const { services, asked } = recordStatements(server.services);
    const ctx = openCtx(services, { ...reporter, actor: reporter.actor }, reporter.now);
    await addEvalResults(ctx, { runId, results: [{ itemKey: "q-1", status: "failed" }] });
    const writes = asked.filter(({ statement }) => statement.text.includes("eval_result"));
    expect(writes.length).toBeGreaterThan(0);
    for (const write of writes) {
      const nodes = await explainAsked(server.database, write, "generic");
      expect(nodes.reduce((rows, node) => rows + countRows(node), 0)).toBeLessThan(100);
    }
  });
});

function countRows(node: ExecutedNode): number {
  return node["Actual Loops"] * (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0));
}
