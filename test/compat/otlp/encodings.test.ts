import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode } from "../../../compat/otlp/decode.ts";
import { createReadOptions } from "../../support/read-options.ts";
import { createLogsRequest } from "../../support/agent-logs.ts";
import { createMetricsRequest } from "../../support/agent-metrics.ts";
import { decodeSpans } from "../../support/decode-spans.ts";
import { createRequest, toProtobuf } from "../../support/otlp.ts";
import { runs } from "../../support/property-runs.ts";

const OPTIONS = createReadOptions({ nowUs: 1_795_345_643_688_000 });

const text = fc.string({ unit: "binary", maxLength: 20 });
const id = (bytes: number) =>
  fc.oneof(
    { weight: 20, arbitrary: fc.uint8Array({ minLength: bytes, maxLength: bytes }) },
    fc.uint8Array({ maxLength: bytes + 1 }),
  );
const hexId = (bytes: number) => id(bytes).map((array) => Buffer.from(array).toString("hex"));
const nanoseconds = fc.oneof(
  fc.bigInt({ min: 0n, max: 1_795_345_643_688_000_000n }).map(String),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
);

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text.map((stringValue) => ({ stringValue })),
    fc.boolean().map((boolValue) => ({ boolValue })),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((int) => ({ intValue: String(int) })),
    fc.integer().map((int) => ({ intValue: String(int) })),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((doubleValue) => ({ doubleValue })),
    fc.uint8Array({ maxLength: 5 }).map((bytes) => ({ bytesValue: Buffer.from(bytes).toString("base64") })),
    fc.array(tie("value"), { maxLength: 3 }).map((values) => ({ arrayValue: { values } })),
    fc
      .array(fc.record({ key: text, value: tie("value") }), { maxLength: 3 })
      .map((values) => ({ kvlistValue: { values } })),
  ),
}));

const attributes = fc.array(
  fc.record({ key: fc.oneof(text, fc.constantFrom("gen_ai.prompt", "user.id", "x.password")), value }),
  { maxLength: 5 },
);

/** Records of all kinds of events, whole and broken. */
const record = fc.record(
  {
    ...{ traceId: hexId(16), spanId: hexId(8), timeUnixNano: nanoseconds, observedTimeUnixNano: nanoseconds },
    ...{ body: value, eventName: fc.constantFrom("x", "codex.tool_result", "gen_ai.evaluation.result") },
    attributes: fc
      .tuple(
        fc.constantFrom("claude_code.api_request", "codex.sse_event", "gen_ai.evaluation.result", "x"),
        fc.nat({ max: 9 }),
        attributes,
      )
      .map(([name, tokens, rest]) => [
        { key: "event.name", value: { stringValue: name } },
        { key: "session.id", value: { stringValue: "s" } },
        { key: "input_tokens", value: { intValue: tokens } },
        ...rest,
      ]),
  },
  { requiredKeys: ["attributes"] },
);

const span = fc.record(
  {
    ...{ traceId: hexId(16), spanId: hexId(8), parentSpanId: hexId(8), name: text },
    ...{
      kind: fc.integer({ min: -1, max: 7 }),
      startTimeUnixNano: nanoseconds,
      endTimeUnixNano: nanoseconds,
    },
    ...{ attributes, status: fc.record({ code: fc.integer({ min: 0, max: 3 }), message: text }) },
    events: fc.array(fc.record({ name: text, timeUnixNano: nanoseconds, attributes }), { maxLength: 2 }),
    links: fc.array(fc.record({ traceId: hexId(16), spanId: hexId(8), attributes }), { maxLength: 2 }),
    droppedAttributesCount: fc.nat(1000),
  },
  { requiredKeys: ["traceId", "spanId", "startTimeUnixNano"] },
);

const NAMES = [
  "claude_code.token.usage",
  "claude_code.cost.usage",
  "gen_ai.client.token.usage",
  "x",
] as const;
const times = { startTimeUnixNano: nanoseconds, timeUnixNano: nanoseconds };
const types = fc
  .tuple(fc.constantFrom("type", "gen_ai.token.type"), fc.constantFrom("input", "output", "x"), attributes)
  .map(([key, type, rest]) => [...rest, { key, value: { stringValue: type } }]);

/** Points of all kinds of metrics, whole and broken. */
const number = fc.oneof(
  fc.record({ ...times, attributes: types, asInt: fc.bigInt({ min: -5n, max: 2n ** 63n - 1n }).map(String) }),
  fc.record({ ...times, attributes: types, asDouble: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
  fc.record({ ...times, attributes: types }),
);
const histogram = fc.record(
  { ...times, attributes: types, sum: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { requiredKeys: ["attributes"] },
);

function withPoints(point: fc.Arbitrary<unknown>) {
  return fc.record({
    dataPoints: fc.array(point, { maxLength: 3 }),
    aggregationTemporality: fc.nat({ max: 3 }),
  });
}

const metric = fc
  .tuple(
    fc.constantFrom(...NAMES),
    fc.oneof(
      fc.record({ sum: withPoints(number) }),
      fc.record({ gauge: fc.record({ dataPoints: fc.array(number, { maxLength: 3 }) }) }),
      fc.record({ histogram: withPoints(histogram) }),
      fc.record({ exponentialHistogram: withPoints(histogram) }),
    ),
  )
  .map(([name, data]) => ({ name, ...data }));

describe("OTLP", () => {
  it("reads the same spans from JSON and from protobuf", () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 4 }), attributes, (spans, resource) => {
        const request = createRequest(spans, resource);
        const fromJson = decodeSpans(Buffer.from(JSON.stringify(request)), "json", OPTIONS);
        expect(decodeSpans(toProtobuf(request), "protobuf", OPTIONS)).toEqual(fromJson);
        expect(fromJson.spans.length + fromJson.rejected.count).toBe(spans.length);
      }),
      { numRuns: runs(500) },
    );
  });

  it("reads the same records from JSON and from protobuf", () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 4 }), attributes, (records, resource) => {
        const request = createLogsRequest(records, { scope: "com.anthropic.claude_code.events", resource });
        const json = Buffer.from(JSON.stringify(request));
        const fromJson = decode({ bytes: json, signal: "logs", encoding: "json" }, OPTIONS);
        const bytes = toProtobuf(request, "ExportLogsServiceRequest");
        expect(decode({ bytes, signal: "logs", encoding: "protobuf" }, OPTIONS)).toEqual(fromJson);
        expect(fromJson.count).toBe(records.length);
      }),
      { numRuns: runs(500) },
    );
  });

  it("reads the same points from JSON and from protobuf", () => {
    fc.assert(
      fc.property(fc.array(metric, { maxLength: 4 }), attributes, (metrics, resource) => {
        const request = createMetricsRequest(metrics, { resource });
        const json = Buffer.from(JSON.stringify(request));
        const fromJson = decode({ bytes: json, signal: "metrics", encoding: "json" }, OPTIONS);
        const bytes = toProtobuf(request, "ExportMetricsServiceRequest");
        expect(decode({ bytes, signal: "metrics", encoding: "protobuf" }, OPTIONS)).toEqual(fromJson);
      }),
      { numRuns: runs(500) },
    );
  });

  it.each(["traces", "logs", "metrics"] as const)(
    "reads any bytes as a request of %s or as an error",
    (signal) => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
          for (const encoding of ["json", "protobuf"] as const) {
            try {
              decode({ bytes, signal, encoding }, OPTIONS);
            } catch (error) {
              expect(error).toMatchObject({ code: "invalid_body" });
            }
          }
        }),
        { numRuns: runs(500) },
      );
    },
  );

  it("reads a request with any changed byte as a request or as an error", () => {
    const bytes = toProtobuf(
      createRequest([{ traceId: "ab".repeat(16), spanId: "ab".repeat(8), name: "x" }]),
    );
    for (const at of bytes.keys()) {
      for (const byte of [0, 1, 0x7f, 0x80, 0xff]) {
        const changed = bytes.map((known, place) => (place === at ? byte : known));
        try {
          decodeSpans(changed, "protobuf", OPTIONS);
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid_body" });
        }
      }
    }
  });
});
