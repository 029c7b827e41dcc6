import { type ClientRequest, request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SPAN_LIMITS } from "../../../src/domain/traces/span-limits.ts";
import {
  type OtlpMessage,
  createRequest,
  createSpan,
  newTraceId,
  textAttribute,
  toProtobuf,
} from "../../support/otlp.ts";
import { decode } from "../../../compat/otlp/decode.ts";
import { createReadOptions } from "../../support/read-options.ts";
import { createMetricsRequest, createPoint, createSum } from "../../support/agent-metrics.ts";
import { decodeSpans } from "../../support/decode-spans.ts";
import { readStoredSpans, readTraceSums } from "../../support/stored-spans.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";

let server: TestServer;
let workspaceId: string;
let apiKey: string;
let agent: TestClient;

beforeAll(async () => {
  server = await startTestServer({ OTLP_MAX_MIB: "1" });
});

afterAll(() => server.close());

beforeEach(async () => {
  ({ workspaceId, apiKey } = await server.createWorkspace());
  agent = createTestClient(server.url, apiKey);
});

const OPTIONS = createReadOptions();

/** Opens a request without sending its body. */
function open(
  headers: Record<string, string>,
  path = "/v1/traces",
): { sent: ClientRequest; status: Promise<number> } {
  const sent = request(`${server.url}${path}`, {
    method: "POST",
    agent: false,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...headers },
  });
  const status = new Promise<number>((resolve, reject) => {
    sent.on("response", (answer) => resolve(answer.resume().statusCode ?? 0)).on("error", reject);
  });
  return { sent, status };
}

describe("POST /v1/traces", () => {
  it.each(["/v1/traces", "/v1/logs", "/v1/metrics"])(
    "doesn't decompress more than the limit (%s)",
    async (path) => {
      // 256 MiB in 256 KiB.
      const bomb = gzipSync(Buffer.alloc(268_435_456, " "));
      const { sent, status } = open({ "content-encoding": "gzip" }, path);
      sent.on("error", () => {});
      const before = process.memoryUsage.rss();
      sent.end(bomb);
      expect(await status).toBe(413);
      expect(process.memoryUsage.rss() - before).toBeLessThan(32 * 1_048_576);
    },
  );

  it.each([
    ["with its length", {}],
    ["in chunks", { "transfer-encoding": "chunked" }],
  ])("refuses a larger body %s", async (_how, headers) => {
    const body = `{"x":"${"x".repeat(1_048_576)}"}`;
    const { sent, status } = open(headers);
    sent.on("error", () => {});
    sent.end(body);
    expect(await status).toBe(413);
  });

  it("leaves room for gateway checks while others send slowly", async () => {
    const slow = Array.from({ length: 100 }, () => open({ "content-length": "1048576" }));
    for (const { sent, status } of slow) {
      status.catch(() => {});
      sent.write('{"resourceSpans":[');
    }
    const check = await agent.post("/api/v1/gateway/check", {
      request: { action: { name: "x" }, resource: { type: "tool", id: "x" } },
    });
    expect(check.status).toBe(200);
    for (const { sent } of slow) sent.destroy();
  });

  it("has room for many small bodies at once", async () => {
    const small = Array.from({ length: 300 }, () => open({ "content-length": "2" }));
    for (const { sent } of small) sent.write("{");
    expect((await agent.get("/api/v1/whoami")).status).toBe(200);
    for (const { sent } of small) sent.end("}");
    expect(new Set(await Promise.all(small.map(({ status }) => status)))).toEqual(new Set([200]));
  });

  it("reads a body of any number of spans in a thread, and stores what it reads at once", async () => {
    const traceId = newTraceId();
    const spans = Array.from({ length: 1500 }, (_, at) =>
      createSpan({ traceId, attributes: [textAttribute("text", `${at} ${"x".repeat(300)}`)] }),
    );
    const answer = await agent.post("/v1/traces", createRequest(spans));
    expect(answer).toMatchObject({ status: 200, text: "{}" });
    expect((await agent.post("/v1/traces", `{"x":"${"x".repeat(300_000)}"`)).status).toBe(400);
    const { stored, counted } = await readTraceSums(server.database, workspaceId);
    expect(stored).toEqual(counted);
    expect(stored).toMatchObject([{ span_count: 1500 }]);
  });

  it("stores texts with characters that PostgreSQL can't", async () => {
    const bad = "a\u0000b\ud800c";
    const span = createSpan({
      ...{ name: bad, status: { code: 2, message: bad }, attributes: [textAttribute(bad, bad)] },
      events: [
        { name: bad, attributes: [{ key: "x", value: { arrayValue: { values: [{ stringValue: bad }] } } }] },
      ],
    });
    const answer = await agent.post("/v1/traces", createRequest([span], [textAttribute(bad, bad)]));
    expect(answer).toMatchObject({ status: 200, text: "{}" });
    const good = "a\ufffdb\ufffdc";
    const [row] = await readStoredSpans(server.database, workspaceId);
    expect(row).toMatchObject({
      ...{ name: good, status_message: good, attributes: { [good]: good }, resource: { [good]: good } },
      events: [{ name: good, attributes: { x: [good] } }],
    });
  });

  it("stores spans that are their own parents, or each other's", async () => {
    const traceId = newTraceId();
    const ids = ["1", "2", "3", "4"].map((id) => id.repeat(16));
    const [self, first, second, third] = ids;
    const answer = await agent.post(
      "/v1/traces",
      createRequest([
        createSpan({ traceId, spanId: self, parentSpanId: self }),
        createSpan({ traceId, spanId: first, parentSpanId: third }),
        createSpan({ traceId, spanId: second, parentSpanId: first }),
        createSpan({ traceId, spanId: third, parentSpanId: second }),
      ]),
    );
    expect(answer).toMatchObject({ status: 200, text: "{}" });
    const { stored, counted } = await readTraceSums(server.database, workspaceId);
    expect(stored).toEqual(counted);
  });

  it("keeps the same ids of two workspaces apart", async () => {
    const other = await server.createWorkspace();
    const span = createSpan({ name: "own" });
    await agent.post("/v1/traces", createRequest([span]));
    const there = createTestClient(server.url, other.apiKey);
    expect((await there.post("/v1/traces", createRequest([{ ...span, name: "other" }]))).text).toBe("{}");
    expect(await readStoredSpans(server.database, workspaceId)).toMatchObject([{ name: "own" }]);
    expect(await readStoredSpans(server.database, other.workspaceId)).toMatchObject([{ name: "other" }]);
  });
});

describe("a request", () => {
  const read = (span: OtlpMessage) =>
    decodeSpans(toProtobuf(createRequest([createSpan(span)])), "protobuf", OPTIONS);

  it("is cut where a span is too large, and the cuts are counted", () => {
    const many = Array.from({ length: 300 }, (_, at) => textAttribute(`key ${at}`, "x"));
    const events = Array.from({ length: 130 }, () => ({ name: "e" }));
    const [span] = read({ attributes: many, events, name: "n".repeat(2000) }).spans;
    expect(span).toMatchObject({ dropped: 44 + 2 + 1, name: `${"n".repeat(1023)}…` });
    expect(Object.keys(JSON.parse(span?.attributes ?? ""))).toHaveLength(256);
    const long = read({ attributes: [textAttribute("a", `${"h".repeat(70_000)}${"t".repeat(50_000)}`)] });
    const { a } = JSON.parse(long.spans[0]?.attributes ?? "");
    expect(a).toMatch(/^h{16384}…\[54528 characters left out\]…t{49088}$/);
    const values = Array.from({ length: 6 }, (_, at) => textAttribute(`${at}`, "x".repeat(60_000)));
    expect(Object.keys(JSON.parse(read({ attributes: values }).spans[0]?.attributes ?? ""))).toHaveLength(4);
  });

  it("is read to a limited depth", () => {
    const nest = (depth: number): OtlpMessage =>
      depth === 0 ? { intValue: "1" } : { arrayValue: { values: [nest(depth - 1)] } };
    const request = createRequest([createSpan({ attributes: [{ key: "a", value: nest(40) }] })]);
    const fromJson = decodeSpans(Buffer.from(JSON.stringify(request)), "json", OPTIONS);
    const expected = `{"a":${"[".repeat(SPAN_LIMITS.depth)}"…"${"]".repeat(SPAN_LIMITS.depth)}}`;
    expect(fromJson.spans[0]?.attributes).toBe(expected);
    expect(decodeSpans(toProtobuf(request), "protobuf", OPTIONS).spans[0]?.attributes).toBe(expected);
    const deep = `{"resourceSpans":[],"x":${"[".repeat(400_000)}${"]".repeat(400_000)}}`;
    expect(decodeSpans(Buffer.from(deep), "json", OPTIONS).spans).toEqual([]);
  });

  it("of more spans than one request may have is refused without reading them all", () => {
    // Empty messages, of two bytes each.
    const spans = Buffer.alloc(4_000_000, Buffer.from([0x12, 0x00]));
    const length = (size: number) => [
      (size & 127) | 128,
      ((size >> 7) & 127) | 128,
      ((size >> 14) & 127) | 128,
      size >> 21,
    ];
    const scope = Buffer.concat([Buffer.from([0x12, ...length(spans.length)]), spans]);
    const body = Buffer.concat([Buffer.from([0x0a, ...length(scope.length)]), scope]);
    expect(() => decodeSpans(body, "protobuf", OPTIONS)).toThrow("At most 100000 spans can be sent at once.");
  });

  it("with tokens, costs and times of any size is stored as it is", () => {
    const [span] = read({
      endTimeUnixNano: "1000",
      attributes: [
        { key: "gen_ai.usage.input_tokens", value: { intValue: "9223372036854775807" } },
        { key: "gen_ai.usage.output_tokens", value: { intValue: "-5" } },
        { key: "gen_ai.usage.cost", value: { doubleValue: Number.NaN } },
        { key: "other.cost", value: { doubleValue: 1e300 } },
      ],
    }).spans;
    expect(span?.endedAtUs).toBe(span?.startedAtUs);
    expect(JSON.parse(span?.attributes ?? "")).toEqual({
      ...{ "gen_ai.usage.input_tokens": "9223372036854775807", "gen_ai.usage.output_tokens": -5 },
      ...{ "gen_ai.usage.cost": "NaN", "other.cost": 1e300 },
    });
  });

  it("takes time in proportion to its size, whatever its texts are", () => {
    const texts = ["a@", "1 ", "a.", "sk-", "Bearer ", "@a.", "eyJ", "://a:"].map((part) =>
      part.repeat(30_000),
    );
    const started = process.cpuUsage();
    for (const text of texts) read({ attributes: [textAttribute("a", text)], name: text });
    const { user, system } = process.cpuUsage(started);
    expect(user + system).toBeLessThan(3_000_000);
  });

  it("takes no time for what its spans share and is left out", () => {
    const empty = Array.from({ length: 20_000 }, () => ({}));
    const [resource] = createRequest(empty).resourceSpans as [OtlpMessage];
    const shared = { ...resource, scopeSpans: [{ scope: { name: "\0".repeat(200_000) }, spans: empty }] };
    const body = Buffer.from(JSON.stringify({ resourceSpans: [shared] }));
    const started = process.cpuUsage();
    expect(decodeSpans(body, "json", OPTIONS).rejected.count).toBe(20_000);
    const { user, system } = process.cpuUsage(started);
    expect(user + system).toBeLessThan(3_000_000);
  });
});

describe("metrics", () => {
  function decodeMetrics(body: OtlpMessage) {
    const bytes = Buffer.from(JSON.stringify(body));
    return decode({ bytes, signal: "metrics", encoding: "json" }, OPTIONS);
  }

  it("of more points than one request may have are refused", () => {
    const points = Array.from({ length: SPAN_LIMITS.spans + 1 }, () => ({}));
    const body = createMetricsRequest([createSum("x", points)]);
    expect(() => decodeMetrics(body)).toThrow("At most 100000 points can be sent at once.");
  });

  it("take no time for what their points share", () => {
    const points = Array.from({ length: 5000 }, () => createPoint({ type: "input" }, { asInt: 1 }));
    const resource = Array.from({ length: 200 }, (_, at) => textAttribute(`a${at}`, "x".repeat(4000)));
    const body = createMetricsRequest([createSum("claude_code.token.usage", points)], { resource });
    const started = process.cpuUsage();
    expect(decodeMetrics(body).points).toHaveLength(5000);
    const { user, system } = process.cpuUsage(started);
    expect(user + system).toBeLessThan(3_000_000);
  });

  it("are told apart to a limited depth", () => {
    const nest = (depth: number): OtlpMessage =>
      depth === 0 ? { intValue: "1" } : { arrayValue: { values: [nest(depth - 1)] } };
    const series = [40, 400].map((depth) => {
      const attributes = [textAttribute("type", "input"), { key: "a", value: nest(depth) }];
      const point = createPoint({}, { asInt: 1, attributes });
      return decodeMetrics(createMetricsRequest([createSum("claude_code.token.usage", [point])])).points[0]
        ?.series;
    });
    expect(series[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(series[1]).toBe(series[0]);
  });
});
