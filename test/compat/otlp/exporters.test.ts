import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { ROOT_CONTEXT, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readUsage } from "../../support/usage-reference.ts";
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

  it("sends again what was answered with 429 or 503, and nothing is counted twice", async () => {
    const { workspaceId, apiKey } = await server.createWorkspace();
    const front = await openFront(server.url, [503, 429]);
    const exporter = new Exporter({
      ...{ url: `${front.url}/v1/traces`, headers: { Authorization: `Bearer ${apiKey}` } },
      compression: GZIP,
    });
    const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
    provider
      .getTracer("billing")
      .startSpan("chat small", {
        attributes: {
          ...{ "gen_ai.operation.name": "chat", "gen_ai.response.model": "small", "gen_ai.usage.cost": 0.25 },
          ...{ "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 2 },
        },
      })
      .end();
    await provider.forceFlush();
    await provider.shutdown();
    await front.close();
    expect(front.answered).toEqual([503, 429, 200]);
    expect(await readStoredSpans(server.database, workspaceId)).toHaveLength(1);
    const { "workspace ": all } = await readUsage(server.database, workspaceId, "all");
    expect(all).toMatchObject({ calls: 1, input: 10, output: 2, cost: 250_000_000_000n });
  });
});

/** A proxy whose first answers are lost: it answers these instead, when the server has stored what was sent. */
async function openFront(url: string, statuses: readonly number[]) {
  const answered: number[] = [];
  const proxy = createServer((request, response) => {
    const {
      "content-type": type = "",
      "content-encoding": encoding = "",
      authorization = "",
    } = request.headers;
    const headers = { "content-type": type, "content-encoding": encoding, authorization };
    buffer(request)
      .then(async (body) => {
        const { status } = await fetch(`${url}${request.url}`, {
          method: "POST",
          body: new Uint8Array(body),
          headers,
        });
        expect(status).toBe(200);
        const own = statuses[answered.length] ?? status;
        answered.push(own);
        response
          .writeHead(own, { "retry-after": "0", "content-type": type })
          .end(type.endsWith("json") ? "{}" : "");
      })
      .catch((error: unknown) => {
        answered.push(0);
        response.destroy(error instanceof Error ? error : undefined);
      });
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const address = proxy.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    ...{ url: `http://127.0.0.1:${port}`, answered },
    close: async () => {
      proxy.close();
      proxy.closeAllConnections();
      await once(proxy, "close");
    },
  };
}
