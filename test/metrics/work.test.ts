import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMetrics } from "../support/read-metrics.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { type TestClient, createTestClient } from "../support/test-client.ts";

let server: TestServer;
let client: TestClient;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestServer({ METRICS_PORT: "0" });
  const workspace = await server.createWorkspace();
  workspaceId = workspace.workspaceId;
  client = createTestClient(server.url, workspace.apiKey);
});

afterAll(() => server.close());

describe("metrics of requests", () => {
  it("count answers by route template and status, whatever the path", async () => {
    const { task } = (await client.post("/api/v1/tasks", { title: "Counted" })).body;
    for (const id of [task.id, workspaceId]) await client.get(`/api/v1/tasks/${id}`);
    const values = await readMetrics(server);
    const labels = 'api="rest",method="GET",route="/api/v1/tasks/:id"';
    expect(values[`agent_ops_http_requests_total{${labels},status="200"}`]).toBe(1);
    expect(values[`agent_ops_http_requests_total{${labels},status="404"}`]).toBe(1);
    expect(values[`agent_ops_http_request_duration_seconds_count{${labels}}`]).toBe(2);
  });

  it("tell which route a refused request was for", async () => {
    await fetch(`${server.url}/api/v1/tasks`);
    await fetch(`${server.url}/api/v1/tasks`, { method: "PUT" });
    const values = await readMetrics(server);
    const route = 'route="/api/v1/tasks"';
    expect(values[`agent_ops_http_requests_total{api="rest",method="GET",${route},status="401"}`]).toBe(1);
    expect(values[`agent_ops_http_requests_total{api="rest",method="PUT",${route},status="405"}`]).toBe(1);
  });

  it("have no label that a client invents", async () => {
    for (const path of ["/invented", "/api/v1/invented", "/assets/invented.js", "/mcp/invented/x"])
      await fetch(server.url + path, { method: "PROPFIND" });
    await fetch(`${server.url}/wp-login.php?invented`);
    const names = Object.keys(await readMetrics(server)).join("\n");
    expect(names).not.toMatch(/invented|wp-login|PROPFIND/);
    expect(names).toContain('api="other",method="GET",route="other",status="404"');
  });

  it.each([
    ["/graphql", "graphql"],
    ["/scim/v2/Users", "scim"],
    ["/healthz", "health"],
    ["/users/log-in", "pages"],
    ["/dashboard.css", "other"],
  ])("of %s are of the API %s", async (path, api) => {
    await fetch(server.url + path);
    const names = Object.keys(await readMetrics(server));
    expect(names.some((name) => name.startsWith(`agent_ops_http_requests_total{api="${api}"`))).toBe(true);
  });
});

describe("metrics of GraphQL", () => {
  it("count operations by outcome, since all have status 200", async () => {
    await client.graphql("{ viewer { scopes } }");
    await client.graphql('mutation { createTask(input: {title: ""}) { task { id } } }');
    expect(await readMetrics(server)).toMatchObject({
      'agent_ops_graphql_operations_total{type="query",outcome="succeeded"}': 1,
      'agent_ops_graphql_operations_total{type="mutation",outcome="refused"}': 1,
    });
  });
});

describe("metrics of work", () => {
  it("count runs of jobs", async () => {
    await expect
      .poll(() => readMetrics(server), { timeout: 10_000 })
      .toMatchObject({
        'agent_ops_job_duration_seconds_count{name="deadlines",outcome="succeeded"}': expect.any(Number),
        'agent_ops_job_last_success_timestamp_seconds{name="emails"}': expect.any(Number),
      });
  });

  it("count the telemetry that agents send", async () => {
    const [traceId, spanId] = ["1".repeat(32), "2".repeat(16)];
    const span = { traceId, spanId, name: "run", kind: 1, startTimeUnixNano: `${Date.now()}000000` };
    const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
    expect((await client.post("/v1/traces", body)).status).toBe(200);
    expect(await readMetrics(server)).toMatchObject({
      'agent_ops_ingested_items_total{signal="traces",outcome="accepted"}': 1,
    });
  });

  it("tell how much waits, and the connections of the pool", async () => {
    const values = await readMetrics(server);
    for (const queue of ["tasks", "emails", "webhook_deliveries", "webhook_events", "deferred_appends"])
      expect(values[`agent_ops_queue_depth{queue="${queue}"}`]).toBeGreaterThanOrEqual(0);
    expect(values['agent_ops_queue_oldest_seconds{queue="emails"}']).toBe(0);
    expect(values["agent_ops_database_connections_limit"]).toBe(20);
    expect(values['agent_ops_database_connections{state="idle"}']).toBeGreaterThan(0);
  });
});
