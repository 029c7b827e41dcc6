import { ROOT_CONTEXT, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readStoredSpans, readTraceSums } from "../../support/stored-spans.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

// The type of the option is an enum of a package that isn't a dependency.
const GZIP = "gzip" as never;

describe.each([
  ["@opentelemetry/exporter-trace-otlp-http", JsonExporter],
  ["@opentelemetry/exporter-trace-otlp-proto", ProtobufExporter],
])("%s", (_name, Exporter) => {
  it("exports spans, compressed", async () => {
    const { workspaceId, apiKey } = await server.createWorkspace();
    const exporter = new Exporter({
      ...{ url: `${server.url}/v1/traces`, headers: { Authorization: `Bearer ${apiKey}` } },
      compression: GZIP,
    });
    const provider = new NodeTracerProvider({
      resource: resourceFromAttributes({ "service.name": "billing" }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    const tracer = provider.getTracer("billing", "1.0");
    const root = tracer.startSpan("invoke_agent billing", {
      attributes: { "gen_ai.operation.name": "invoke_agent", count: 1, list: ["a", "b"], ratio: 0.5 },
    });
    const child = tracer.startSpan(
      "execute_tool refund",
      { attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "refund" } },
      trace.setSpan(ROOT_CONTEXT, root),
    );
    child.recordException(new Error("no such invoice"));
    child.setStatus({ code: SpanStatusCode.ERROR, message: "no such invoice" });
    child.end();
    root.end();
    await provider.forceFlush();
    await provider.shutdown();
    const spans = await readStoredSpans(server.database, workspaceId);
    const { traceId, spanId } = root.spanContext();
    expect(spans).toHaveLength(2);
    const tool = spans.find(({ name }) => name === "execute_tool refund");
    const agent = spans.find(({ name }) => name === "invoke_agent billing");
    expect(agent).toMatchObject({
      ...{
        span_id: spanId,
        op: "agent",
        scope: "billing",
        attributes: { count: 1, list: ["a", "b"], ratio: 0.5 },
      },
      resource: { "service.name": "billing" },
    });
    expect(tool).toMatchObject({
      ...{ parent_span_id: spanId, op: "tool", tool_name: "refund", status: "error" },
      events: [{ name: "exception", attributes: { "exception.message": "no such invoice" } }],
    });
    const { stored, counted } = await readTraceSums(server.database, workspaceId);
    expect(stored).toEqual(counted);
    expect(stored).toMatchObject([
      {
        id: expect.any(String),
        span_count: 2,
        error_count: 1,
        tool_count: 1,
        root_name: "invoke_agent billing",
      },
    ]);
    expect(String(spans[0]?.["trace_id"]).replaceAll("-", "")).toBe(traceId);
  });
});
