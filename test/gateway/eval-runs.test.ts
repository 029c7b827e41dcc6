import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { insertTestAgent, insertTestEvalRun } from "../support/factories.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

async function ask(query: string, variables: Record<string, unknown>) {
  const { body } = await world.agent.graphql(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

const ADD = `mutation ($id: ID!, $results: [EvalResultInput!]!) {
  addEvalResults(input: { runId: $id, results: $results }) { accepted updated evalRun { status resultCounts } }
}`;
const COMPLETE =
  "mutation ($id: ID!) { completeEvalRun(input: { id: $id }) { evalRun { verdict verdictReasons } } }";

describe("evaluation runs", () => {
  it("are created, filled, completed and compared", async () => {
    const create = `mutation ($input: CreateEvalRunInput!) { createEvalRun(input: $input) { evalRun { id status } } }`;
    const ids: string[] = [];
    for (const statuses of [
      ["PASSED", "FAILED"],
      ["ERRORED", "PASSED"],
    ]) {
      const input = {
        suite: "graph",
        name: "One",
        baselineRunId: ids[0] ?? "latest_baseline",
        gate: { maxRegressions: 0 },
      };
      const { createEvalRun: made } = await ask(create, { input });
      const { id } = made.evalRun;
      const scores = [{ name: "exact", value: 0.5, annotatorKind: "LLM" }];
      const results = statuses.map((status, n) => ({ itemKey: `q-${n}`, status, scores, input: { n } }));
      expect((await ask(ADD, { id, results })).addEvalResults).toMatchObject({
        ...{ accepted: 2, updated: 0, evalRun: { status: "RUNNING", resultCounts: { total: 2 } } },
      });
      await ask(COMPLETE, { id });
      ids.push(id);
    }
    const [baselineId = "", runId = ""] = ids;
    expect((await ask(COMPLETE, { id: runId })).completeEvalRun.evalRun).toEqual({
      ...{ verdict: "FAILED", verdictReasons: ["1 regression > 0"] },
    });
    const compare = `query ($runId: ID!, $baselineId: ID) { evalComparison(runId: $runId, baselineId: $baselineId) {
      run { id } baseline { id } counts { regressions improvements } scoreDeltas { name delta }
      regressions { itemKey from to } improvements { itemKey } added { itemKey } removed { itemKey } } }`;
    const expected = {
      ...{ run: { id: runId }, baseline: { id: baselineId }, counts: { regressions: 1, improvements: 1 } },
      scoreDeltas: [{ name: "exact", delta: 0 }],
      regressions: [{ itemKey: "q-0", from: "PASSED", to: "ERRORED" }],
      ...{ improvements: [{ itemKey: "q-1" }], added: [], removed: [] },
    };
    expect((await ask(compare, { runId })).evalComparison).toEqual(expected);
    expect((await ask(compare, { runId, baselineId })).evalComparison).toEqual(expected);
  });

  it("list their results page by page, optionally of one status or item", async () => {
    const id = toGlobalId("EvalRun", await insertTestEvalRun(world.ctx));
    const results = Array.from({ length: 7 }, (_, n) => ({
      itemKey: `q-${n}`,
      status: n < 2 ? "FAILED" : "PASSED",
    }));
    await ask(ADD, { id, results });
    const list = `query ($id: ID!, $first: Int, $after: String, $filter: EvalResultFilter) {
      evalRun(id: $id) { results(first: $first, after: $after, filter: $filter) {
        totalCount version nodes { itemKey } pageInfo { hasNextPage endCursor } } } }`;
    const first = (await ask(list, { id, first: 4, filter: { status: "PASSED" } })).evalRun.results;
    expect(first).toMatchObject({ totalCount: 5, version: "2", pageInfo: { hasNextPage: true } });
    const rest = { id, first: 4, filter: { status: "PASSED" }, after: first.pageInfo.endCursor };
    expect((await ask(list, rest)).evalRun.results).toMatchObject({
      ...{ nodes: [{ itemKey: "q-6" }], pageInfo: { hasNextPage: false } },
    });
    expect((await ask(list, { id, filter: { itemKey: "q-3" } })).evalRun.results.nodes).toEqual([
      { itemKey: "q-3" },
    ]);
  });

  it("can be filtered by suite, status and agent", async () => {
    const agent = await insertTestAgent(world.ctx);
    const mine = await insertTestEvalRun(world.ctx, { suite: "mine", agentId: agent, status: "completed" });
    const open = await insertTestEvalRun(world.ctx, { suite: "mine" });
    const query =
      "query ($filter: EvalRunFilter) { evalRuns(filter: $filter) { totalCount nodes { uuid } } }";
    const agentId = toGlobalId("Agent", agent);
    for (const [filter, uuids] of [
      [{ suite: "mine" }, [open, mine]],
      [{ suite: "mine", status: "QUEUED" }, [open]],
      [{ agentId }, [mine]],
      [{ agentId, suite: "other" }, []],
    ] as const) {
      const nodes = uuids.map((uuid) => ({ uuid }));
      expect((await ask(query, { filter })).evalRuns).toEqual({ totalCount: nodes.length, nodes });
    }
  });

  it("reject a document that requests the results of a whole page of runs", async () => {
    const query = "{ evalRuns(first: 50) { nodes { results(first: 1) { nodes { itemKey } } } } }";
    const { body } = await world.agent.graphql(query);
    expect(body.errors[0].extensions.code).toBe("INVALID_REQUEST");
  });

  it("reject a document that compares many runs, or lists too much of one comparison", async () => {
    const id = toGlobalId("EvalRun", await insertTestEvalRun(world.ctx));
    const compare = (fields: string) =>
      `evalComparison(runId: "${id}", baselineId: "${id}", first: 1) { ${fields} }`;
    const many = (one: string, count: number) =>
      Array.from({ length: count }, (_, n) => `a${n}: ${one}`).join(" ");
    for (const query of [many(compare("counts { added }"), 20), compare(many("added { itemKey }", 100))]) {
      const { body } = await world.agent.graphql(`{ ${query} }`);
      expect(body.errors[0].extensions.code).toBe("INVALID_REQUEST");
    }
    await ask(`{ ${compare("added { itemKey } removed { itemKey }")} }`, {});
  });
});
