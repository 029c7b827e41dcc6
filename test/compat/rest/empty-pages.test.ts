import { type IntrospectionField, type IntrospectionQuery, getIntrospectionQuery } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type PopulatedWorkspace, createPopulatedWorkspace } from "../../support/populated-workspace.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let populated: PopulatedWorkspace;
let person: TestClient;
let agent: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  populated = await createPopulatedWorkspace(server);
  agent = createTestClient(server.url, populated.apiKey);
  person = createTestClient(server.url, undefined, {
    cookie: `_agent_ops_key=${populated.session}`,
    origin: server.url,
  });
});

afterAll(() => server.close());

async function rootFields(): Promise<readonly IntrospectionField[]> {
  const { data } = (await person.graphql(getIntrospectionQuery())).body as { data: IntrospectionQuery };
  const query = data.__schema.types.find(({ name }) => name === "Query");
  return query?.kind === "OBJECT" ? query.fields : [];
}

/** Whether a field is a paginated list. */
function isConnection({ type }: IntrospectionField): boolean {
  return type.kind === "NON_NULL" && type.ofType.kind === "OBJECT" && type.ofType.name.endsWith("Connection");
}

const NOTHING = ["first: 0", "last: 0"];

describe("an empty page", () => {
  it("has no next page in any connection", async () => {
    const connections = (await rootFields()).filter(isConnection).map(({ name }) => name);
    expect(connections).toContain("tasks");
    expect(connections.length).toBeGreaterThan(8);
    for (const name of connections) {
      const whole = await person.graphql(`{ found: ${name}(first: 1) { edges { cursor } } }`);
      const [edge] = whole.body.data.found.edges;
      const asked = [...NOTHING, ...(edge === undefined ? [] : [`last: 5, before: "${edge.cursor}"`])];
      for (const args of asked) {
        const { body } = await person.graphql(
          `{ found: ${name}(${args}) { edges { cursor } pageInfo { hasNextPage } } }`,
        );
        const { edges, pageInfo } = body.data.found;
        expect([name, args, edges, pageInfo]).toEqual([name, args, [], { hasNextPage: false }]);
      }
    }
  });

  it("has no next page in a run's results", async () => {
    for (const args of NOTHING) {
      const { body } = await agent.graphql(
        `query ($id: ID!) {
          evalRun(id: $id) { results(${args}) { nodes { itemKey } pageInfo { hasNextPage } } }
        }`,
        { id: Buffer.from(`EvalRun:${await runWithResults(3)}`).toString("base64") },
      );
      expect(body.errors).toBeUndefined();
      expect(body.data.evalRun.results).toEqual({ nodes: [], pageInfo: { hasNextPage: false } });
    }
  });

  it.each(["/tasks", "/operator/eval_runs", "/agents"])("has no next page in %s", async (path) => {
    const limit = path === "/agents" ? "limit=1&offset=100000" : "limit=0";
    const { pagination } = (await agent.get(`/api/v1${path}?${limit}`)).body;
    expect(pagination).toMatchObject({ has_more: false, next_offset: null });
    expect(pagination.total).toBeGreaterThan(0);
  });

  it("remains of a run whose results are deleted", async () => {
    const id = await runWithResults(3);
    const path = `/api/v1/eval_runs/${id}/results?limit=2`;
    expect((await agent.get(path)).body.pagination).toMatchObject({ has_more: true, next_offset: 2 });
    await server.database.query("DELETE FROM eval_result WHERE eval_run_id = $1", [id]);
    const { body, headers } = await agent.get(path);
    expect(body).toMatchObject({ results: [], pagination: { total: 3, has_more: false, next_offset: null } });
    expect(headers.get("link")).not.toContain("next");
  });
});

async function runWithResults(count: number): Promise<string> {
  const { id } = (await agent.post("/api/v1/eval_runs", { suite: "x", name: "x" })).body.eval_run;
  const results = Array.from({ length: count }, (_, at) => ({ item_key: `${at}`, status: "passed" }));
  await agent.post(`/api/v1/eval_runs/${id}/results`, { results });
  return id;
}
