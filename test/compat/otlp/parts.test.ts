import { describe, expect, it } from "vitest";
import { decodeInSteps } from "../../../compat/otlp/decode.ts";
import { SPAN_LIMITS } from "../../../src/domain/traces/span-limits.ts";
import { createReadOptions } from "../../support/read-options.ts";
import { decodeSpans } from "../../support/decode-spans.ts";
import { createRequest, createSpan, toProtobuf } from "../../support/otlp.ts";

const OPTIONS = createReadOptions();

describe("a request", () => {
  it("of more parts than one request may have is refused, however few spans it has", () => {
    const parts = Array.from({ length: 128 }, () => ({}));
    const many = { events: parts, links: parts, attributes: parts };
    const spans = Array.from({ length: SPAN_LIMITS.parts / 384 + 1 }, () => createSpan(many));
    expect(() => decodeSpans(toProtobuf(createRequest(spans)), "protobuf", OPTIONS)).toThrow(
      "At most 1000000 attributes, events and links can be sent at once.",
    );
  });

  it("has a limited number of elements in all values of a span", () => {
    const values = Array.from({ length: 10_000 }, () => ({ intValue: "1" }));
    const attributes = Array.from({ length: 8 }, (_, at) => ({
      key: `${at}`,
      value: { arrayValue: { values } },
    }));
    const request = createRequest([createSpan({ attributes })]);
    for (const [encoding, bytes] of [
      ["json", Buffer.from(JSON.stringify(request))],
      ["protobuf", toProtobuf(request)],
    ] as const) {
      const [span] = decodeSpans(bytes, encoding, OPTIONS).spans;
      const kept: Record<string, number[]> = JSON.parse(span?.attributes ?? "");
      expect(Object.values(kept).flat()).toHaveLength(SPAN_LIMITS.elements);
    }
  });

  it.each([
    ["traces", "resourceSpans", "scopeSpans"],
    ["logs", "resourceLogs", "scopeLogs"],
    ["metrics", "resourceMetrics", "scopeMetrics"],
  ] as const)("of processes without %s is read in steps", (signal, resources, scopes) => {
    const empty = Array.from({ length: 1000 }, () => ({ [scopes]: [{}] }));
    // One process with one scope.
    const message = Buffer.from([0x0a, 0x02, 0x12, 0x00]);
    for (const [encoding, bytes] of [
      ["json", Buffer.from(JSON.stringify({ [resources]: empty }))],
      ["protobuf", Buffer.concat(empty.map(() => message))],
    ] as const) {
      const steps = [...decodeInSteps({ bytes, signal, encoding }, OPTIONS)];
      expect(steps.length).toBeGreaterThanOrEqual(2000);
    }
  });
});
