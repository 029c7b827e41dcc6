import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type OtlpMessage,
  createRequest,
  createSpan,
  fromProtobuf,
  newSpanId,
  newTraceId,
  textAttribute,
  toProtobuf,
} from "../../support/otlp.ts";
import { readStoredSpans } from "../../support/stored-spans.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let workspace: Awaited<ReturnType<TestServer["createWorkspace"]>>;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  workspace = await server.createWorkspace();
});

const JSON_TYPE = "application/json";
const PROTOBUF_TYPE = "application/x-protobuf";

async function post(
  body: string | Uint8Array<ArrayBuffer>,
  { path = "/v1/traces", ...headers }: Record<string, string> = {},
) {
  const response = await fetch(server.url + path, {
    method: "POST",
    body,
    headers: { authorization: `Bearer ${workspace.apiKey}`, "content-type": JSON_TYPE, ...headers },
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: Buffer.from(bytes).toString() };
}

async function postJson(request: OtlpMessage, headers: Record<string, string> = {}) {
  return post(JSON.stringify(request), headers);
}

function readSpans(): Promise<Record<string, unknown>[]> {
  return readStoredSpans(server.database, workspace.workspaceId);
}

describe("POST /v1/traces", () => {
  it("stores spans in JSON and in protobuf, and answers in kind", async () => {
    const [first, second] = [createSpan(), createSpan()];
    const json = await postJson(createRequest([first]));
    expect(json).toMatchObject({ status: 200, text: "{}" });
    expect(json.headers.get("content-type")).toBe(JSON_TYPE);
    const binary = await post(toProtobuf(createRequest([second])), {
      ...{ path: "/api/v1/traces", "content-type": PROTOBUF_TYPE },
    });
    expect(binary).toMatchObject({ status: 200, text: "" });
    expect(binary.headers.get("content-type")).toBe(PROTOBUF_TYPE);
    const stored = (await readSpans()).map((span) => span["span_id"]);
    expect(new Set(stored)).toEqual(new Set([first["spanId"], second["spanId"]]));
  });

  it("stores what each field says", async () => {
    const parent = newSpanId();
    const span = createSpan({
      ...{ name: "chat some-model", kind: 3, parentSpanId: parent.toUpperCase() },
      ...{ startTimeUnixNano: "1795345643688000499", endTimeUnixNano: "1795345643793451602" },
      status: { code: 2, message: "refused" },
      attributes: [
        textAttribute("gen_ai.operation.name", "chat"),
        textAttribute("gen_ai.response.model", "some-model"),
        textAttribute("gen_ai.provider.name", "some-provider"),
        textAttribute("gen_ai.conversation.id", "conversation-1"),
        textAttribute("gen_ai.input.messages", "[]"),
        textAttribute("gen_ai.output.messages", "[1]"),
        { key: "count", value: { intValue: "10" } },
        { key: "number", value: { intValue: 11 } },
        { key: "huge", value: { intValue: "9223372036854775807" } },
        { key: "none" },
        { key: "list", value: { arrayValue: { values: [{ boolValue: true }, { doubleValue: 0.5 }] } } },
        { key: "map", value: { kvlistValue: { values: [{ key: "a", value: { bytesValue: "AQI=" } }] } } },
      ],
      events: [
        { name: "retry", timeUnixNano: "1795345643700000000", attributes: [textAttribute("why", "busy")] },
      ],
      links: [
        { traceId: newTraceId(), spanId: parent, attributes: [] },
        { traceId: "1", spanId: "2" },
      ],
      ...{ droppedAttributesCount: 2, unknown: 1 },
    });
    expect((await postJson(createRequest([span]))).status).toBe(200);
    const [row] = await readSpans();
    expect(row).toMatchObject({
      ...{ name: "chat some-model", kind: 3, parent_span_id: parent, op: "llm", scope: "test" },
      ...{ status: "error", status_message: "refused", model: "some-model", provider: "some-provider" },
      attributes: {
        ...{ count: 10, number: 11, huge: "9223372036854775807", none: null },
        ...{ list: [true, 0.5], map: { a: "AQI=" } },
      },
      input: { "gen_ai.input.messages": "[]" },
      output: { "gen_ai.output.messages": "[1]" },
      resource: { "service.name": "billing" },
      events: [{ name: "retry", time: "2026-11-22T11:07:23.700Z", attributes: { why: "busy" } }],
      // Of the sender, and a link without ids.
      dropped: 3,
    });
    expect(row?.["attributes"]).not.toHaveProperty("gen_ai.input.messages");
    expect(row?.["started_at"]).toContain(":23.688+00");
    expect(row?.["ended_at"]).toContain(":23.793452+00");
    expect(row?.["links"]).toHaveLength(1);
  });

  it("reads spans without kind, status, attributes or name, numbers for nanoseconds, and upper-case ids", async () => {
    const { traceId, spanId } = createSpan();
    const sent = {
      ...{ traceId: String(traceId).toUpperCase(), spanId: String(spanId).toUpperCase() },
      startTimeUnixNano: 1_795_345_643_688_123_400,
    };
    expect((await postJson(createRequest([sent]))).status).toBe(200);
    const [row] = await readSpans();
    expect(row).toMatchObject({ span_id: spanId, kind: 0, status: "unset", attributes: {}, name: "" });
    expect(row?.["ended_at"]).toBeNull();
    expect(row?.["started_at"]).toContain(":23.688123+00");
  });

  it("accepts an empty request", async () => {
    expect(await postJson({})).toMatchObject({ status: 200, text: "{}" });
    expect(await post(new Uint8Array(0), { "content-type": PROTOBUF_TYPE })).toMatchObject({ status: 200 });
  });

  it("accepts gzip, also of several members", async () => {
    const text = JSON.stringify(createRequest([createSpan()]));
    const body = Buffer.concat([gzipSync(text.slice(0, 50)), gzipSync(text.slice(50))]);
    const answer = await post(new Uint8Array(body), { "content-encoding": "gzip" });
    expect(answer).toMatchObject({ status: 200, text: "{}" });
    expect(await readSpans()).toHaveLength(1);
  });

  it("accepts a bearer with an escaped blank", async () => {
    const answer = await postJson(createRequest([createSpan()]), {
      authorization: `Bearer%20${workspace.apiKey}`,
    });
    expect(answer.status).toBe(200);
  });

  it("stores the good spans of a request, and says why the others are not", async () => {
    const bad = [
      createSpan({ traceId: newTraceId().slice(2) }),
      createSpan({ traceId: `${newTraceId()}00` }),
      createSpan({ spanId: "0".repeat(16) }),
      createSpan({ traceId: "0".repeat(32) }),
      createSpan({ startTimeUnixNano: "7258118400000000000" }),
      createSpan({ startTimeUnixNano: "0" }),
      createSpan({ attributes: {} }),
      "no span",
    ];
    const answer = await postJson(createRequest([createSpan(), ...bad, createSpan()]));
    expect(answer.status).toBe(200);
    const { partialSuccess } = JSON.parse(answer.text);
    expect(partialSuccess.rejectedSpans).toBe("8");
    expect(partialSuccess.errorMessage).toBe(
      [
        ...["span 2: traceId must be 16 bytes", "span 3: traceId must be 16 bytes"],
        "span 4: spanId must be 8 bytes, and not all zero",
        ...["span 5: traceId must not be all zero", "span 6: started more than 24 h ahead", "…"],
      ].join("; "),
    );
    expect(await readSpans()).toHaveLength(2);
  });

  it.each([
    // ResourceSpans { ScopeSpans { Span { name with more bytes than there are } } }
    ["is too short", [0x0a, 0x06, 0x12, 0x04, 0x12, 0x02, 0x2a, 0x7f]],
    // ResourceSpans { ScopeSpans { Span { attribute { value with the name's bytes } name } } }
    [
      "has an attribute with more than its bytes",
      [0x0a, 0x0a, 0x12, 0x08, 0x12, 0x06, 0x4a, 0x02, 0x12, 0x02, 0x2a, 0x00],
    ],
  ])("says so in protobuf too, also for a span that %s", async (_, bytes) => {
    const good = toProtobuf(createRequest([createSpan()]));
    const malformed = Buffer.from(bytes);
    const answer = await post(new Uint8Array(Buffer.concat([good, malformed])), {
      "content-type": PROTOBUF_TYPE,
    });
    expect(answer.status).toBe(200);
    expect(fromProtobuf(answer.bytes, "ExportTraceServiceResponse")).toEqual({
      partialSuccess: { rejectedSpans: "1", errorMessage: "span 2: is malformed" },
    });
    expect(await readSpans()).toHaveLength(1);
  });

  it("rejects a request without any good span, such as one of logs", async () => {
    const logs = {
      resourceLogs: [
        { scopeLogs: [{ logRecords: [{ timeUnixNano: "1", body: { stringValue: "hello" } }] }] },
      ],
    };
    const answer = await post(toProtobuf(logs, "ExportLogsServiceRequest"), {
      "content-type": PROTOBUF_TYPE,
    });
    expect(answer.status).toBe(400);
    expect(fromProtobuf(answer.bytes, "RpcStatus")).toEqual({
      code: 3,
      message:
        "No span could be stored. span 1: traceId must be 16 bytes. Logs and metrics can't be sent to this path.",
    });
  });

  it.each([
    { what: "JSON that ends early", body: '{"resourceSpans":[' },
    { what: "JSON that is no object", body: "[]" },
    { what: "protobuf that ends early", body: "\n\u007f\u0001", headers: { "content-type": PROTOBUF_TYPE } },
    { what: "a body that is no gzip", headers: { "content-encoding": "gzip" } },
    { what: "an unknown encoding", headers: { "content-encoding": "br" }, status: 415 },
    { what: "two encodings", headers: { "content-encoding": "gzip, gzip" }, status: 415 },
    { what: "another type", headers: { "content-type": "text/plain" }, status: 415 },
    { what: "no credential", headers: { authorization: "" }, status: 401, code: 16 },
    { what: "an unknown credential", headers: { authorization: "Bearer agt_x" }, status: 401, code: 16 },
  ])(
    "answers $what with a google.rpc.Status",
    async ({ body = "{}", headers = {}, status = 400, code = 3 }) => {
      const answer = await post(body, headers);
      expect(answer.status).toBe(status);
      const isProtobuf = answer.headers.get("content-type") === PROTOBUF_TYPE;
      const shown = isProtobuf ? fromProtobuf(answer.bytes, "RpcStatus") : JSON.parse(answer.text);
      expect(shown).toEqual({ code, message: expect.stringMatching(/^.{10,}\.$/) });
    },
  );

  it("says where protobuf can't be read", async () => {
    const good = toProtobuf(createRequest([createSpan()]));
    const answer = await post(good.slice(0, -3), { "content-type": PROTOBUF_TYPE });
    const { message } = fromProtobuf(answer.bytes, "RpcStatus");
    expect(message).toMatch(/^The body is not an ExportTraceServiceRequest: .+ at byte 0\.$/);
  });

  it("rejects gzip that ends early", async () => {
    const body = gzipSync(JSON.stringify(createRequest([createSpan()]))).subarray(0, -12);
    const answer = await post(new Uint8Array(body), { "content-encoding": "gzip" });
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining("not complete gzip") });
  });

  it("needs traces:write", async () => {
    const minted = await fetch(`${server.url}/api/v1/agent_tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${workspace.apiKey}`, "content-type": JSON_TYPE },
      body: JSON.stringify({ scopes: ["traces:read"] }),
    });
    const { token } = (await minted.json()) as { token: string };
    const answer = await postJson(createRequest([createSpan()]), { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toEqual({ code: 7, message: "This requires the scope traces:write." });
  });

  it("allows only POST", async () => {
    const answer = await fetch(`${server.url}/v1/traces`);
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
    expect(await answer.json()).toMatchObject({ code: 12 });
  });

  it("can't be called by GraphQL", async () => {
    const answer = await fetch(`${server.url}/graphql`, {
      method: "POST",
      headers: { authorization: `Bearer ${workspace.apiKey}`, "content-type": JSON_TYPE },
      body: JSON.stringify({
        query:
          "mutation ($batch: OtlpBatch!) { ingestTelemetry(input: { batch: $batch }) { receipt { accepted } } }",
        variables: { batch: { read: "x", spans: [] } },
      }),
    });
    expect(JSON.stringify(await answer.json())).toContain("Telemetry can't be sent by GraphQL");
  });
});
