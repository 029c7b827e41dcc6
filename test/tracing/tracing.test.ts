import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SentSpan } from "../../src/domain/traces/telemetry.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../support/otlp-receiver.ts";
import { type TestServer, startOn, startTestServer } from "../support/server.ts";
import { readStoredSpans } from "../support/stored-spans.ts";
import { createTestClient } from "../support/test-client.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const PARENT_ID = "b7ad6b7169203331";
const TRACEPARENT = `00-${TRACE_ID}-${PARENT_ID}-01`;

async function startReceiver(): Promise<OtlpReceiver> {
  const receiver = await startOtlpReceiver();
  onTestFinished(receiver.stop);
  return receiver;
}

async function start(environment: Record<string, string>): Promise<TestServer> {
  const server = await startTestServer(environment);
  onTestFinished(() => server.database.drop());
  return server;
}

function readAttributes({ attributes }: SentSpan): Record<string, unknown> {
  return Object.fromEntries(attributes);
}

describe("the server's own traces", () => {
  it("have a span for each request within the caller's trace, the operation and the statements", async () => {
    const receiver = await startReceiver();
    const server = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc",
    });
    const { apiKey, workspaceId } = await server.createWorkspace();
    const client = createTestClient(server.url, apiKey);
    const sent = { title: "A secret plan" };
    const { task } = (await client.post("/api/v1/tasks", sent, { traceparent: TRACEPARENT })).body;
    await client.get(`/api/v1/tasks/${task.id}?hidden=1`);
    await client.graphql("query Named { viewer { scopes } }");
    await server.stop();

    expect(receiver.requests[0]).toEqual({ path: "/v1/traces", authorization: "Bearer abc" });
    const { spans } = receiver;
    const request = spans.find(({ name }) => name === "POST /api/v1/tasks");
    expect(request).toMatchObject({ traceId: TRACE_ID, parentSpanId: PARENT_ID, kind: 2 });
    expect(request && readAttributes(request)).toMatchObject({
      "http.request.method": "POST",
      "http.route": "/api/v1/tasks",
      "http.response.status_code": 201,
      "url.scheme": "http",
      "agent_ops.workspace_id": workspaceId,
    });
    const operation = spans.find(
      ({ parentSpanId }) => parentSpanId === request?.spanId && parentSpanId !== "",
    );
    expect(spans.map(({ name }) => name)).toContain("GET /api/v1/tasks/:id");
    expect(operation?.traceId).toBe(TRACE_ID);
    const graphql = spans.filter(({ name }) => name === "mutation" || name === "query");
    expect(graphql.map((span) => readAttributes(span)["graphql.operation.name"])).toContain("Named");
    const mutation = graphql.find(({ traceId }) => traceId === TRACE_ID);
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === mutation?.spanId);
    expect(statements.map(({ kind }) => kind)).toContain(3);
    expect(statements.map((span) => readAttributes(span)["db.system.name"])).toContain("postgresql");
    expect(JSON.stringify(spans)).not.toMatch(/secret plan|hidden|ag[kts]_/);
    expect(JSON.stringify(spans)).not.toContain(task.id);
  });

  it("can be sent to the server itself, which does not trace that", async () => {
    const first = await start({});
    const { apiKey, workspaceId } = await first.createWorkspace();
    await first.stop();
    const port = await choosePort();
    const server = await startOn(first.database, {
      PORT: `${port}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${apiKey}`,
    });
    onTestFinished(() => server.stop());
    const client = createTestClient(server.url, apiKey);
    await client.get("/api/v1/whoami", { traceparent: TRACEPARENT });
    for (let round = 0; round < 3; round++) await server.services.tracing?.flush();
    const stored = await readStoredSpans(server.database, workspaceId);
    expect(stored.map(({ name }) => name)).toContain("GET /api/v1/whoami");
    expect(stored.filter(({ name }) => /\/v1\/traces/.test(String(name)))).toEqual([]);
    const { body } = await client.get("/api/v1/operator/traces?plumbing=true");
    expect(body.traces).toContainEqual(
      expect.objectContaining({ root_name: "GET /api/v1/whoami", trace_id: TRACE_ID }),
    );
  });

  it("delay neither requests nor the end of the server where nobody takes them", async () => {
    const server = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
    const { apiKey } = await server.createWorkspace();
    const client = createTestClient(server.url, apiKey);
    for (let request = 0; request < 20; request++)
      expect((await client.get("/api/v1/whoami")).status).toBe(200);
    const startMs = performance.now();
    await server.stop();
    expect(performance.now() - startMs).toBeLessThan(8000);
  });

  it.each([
    { OTEL_SDK_DISABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "" },
  ])("are not made with %j", async (environment) => {
    const server = await start(environment);
    expect(server.services.tracing).toBeNull();
    await server.stop();
  });

  it("are as many as the sampler says, and those of callers who trace", async () => {
    const receiver = await startReceiver();
    const server = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0",
    });
    const { apiKey } = await server.createWorkspace();
    const client = createTestClient(server.url, apiKey);
    await client.get("/api/v1/whoami");
    await client.get("/api/v1/whoami", { traceparent: TRACEPARENT });
    await server.stop();
    expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
  });
});

async function choosePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => void server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
