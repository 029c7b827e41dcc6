import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode } from "../../../compat/otlp/decode.ts";
import { createRequest, toProtobuf } from "../../support/otlp.ts";
import { runs } from "../../support/property-runs.ts";

const OPTIONS = { capture: "redacted", workspaceId: "a", nowUs: 1_795_345_643_688_000 } as const;

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

describe("OTLP", () => {
  it("reads the same spans from JSON and from protobuf", () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 4 }), attributes, (spans, resource) => {
        const request = createRequest(spans, resource);
        const fromJson = decode(Buffer.from(JSON.stringify(request)), "json", OPTIONS);
        expect(decode(toProtobuf(request), "protobuf", OPTIONS)).toEqual(fromJson);
        expect(fromJson.spans.length + fromJson.rejected.count).toBe(spans.length);
      }),
      { numRuns: runs(500) },
    );
  });

  it("reads any bytes as a request or as an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const encoding of ["json", "protobuf"] as const) {
          try {
            decode(bytes, encoding, OPTIONS);
          } catch (error) {
            expect(error).toMatchObject({ code: "invalid_body" });
          }
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("reads a request with any changed byte as a request or as an error", () => {
    const bytes = toProtobuf(
      createRequest([{ traceId: "ab".repeat(16), spanId: "ab".repeat(8), name: "x" }]),
    );
    for (const at of bytes.keys()) {
      for (const byte of [0, 1, 0x7f, 0x80, 0xff]) {
        const changed = bytes.map((known, place) => (place === at ? byte : known));
        try {
          decode(changed, "protobuf", OPTIONS);
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid_body" });
        }
      }
    }
  });
});
