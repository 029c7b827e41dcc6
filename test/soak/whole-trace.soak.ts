import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SPAN_LIMITS } from "../../src/domain/traces/span-limits.ts";
import { createRequest, createSpan, newTraceId } from "../support/otlp.ts";
import { readTraceSums } from "../support/stored-spans.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";
import { createCallSpan } from "../support/trace-scene.ts";

const REQUEST = 5000;

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

/** The id of the span at a depth. */
function toSpanId(depth: number): string {
  return (depth + 1).toString(16).padStart(16, "0");
}

describe("a trace of as many spans as one may have, each within the one before", () => {
  it(
    "is stored, charged once and read page by page, and takes no further one",
    { timeout: 900_000 },
    async () => {
      const traceId = newTraceId();
      const { agent } = world;
      const createStep = (depth: number) => {
        const place = {
          traceId,
          spanId: toSpanId(depth),
          ...(depth > 0 && { parentSpanId: toSpanId(depth - 1) }),
        };
        const isCall = depth === 0 || depth === SPAN_LIMITS.spans - 1;
        return isCall ? createCallSpan({ model: "m", input: 1, cost: 0.25 }, place) : createSpan(place);
      };
      const depths = Array.from({ length: SPAN_LIMITS.spans }, (_, depth) => depth);
      for (let from = 0; from < depths.length; from += REQUEST) {
        const spans = depths.slice(from, from + REQUEST).map(createStep);
        const answer = await agent.post("/v1/traces", createRequest(spans));
        expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: "{}" });
      }
      const further = await agent.post("/v1/traces", createRequest([createSpan({ traceId }), createStep(5)]));
      expect(further.body.partialSuccess).toEqual({
        ...{ rejectedSpans: "1", errorMessage: "span 1: its trace has 100000 spans already" },
      });
      const seen = new Set<string>();
      let next: string | null = null;
      do {
        const after: string = next === null ? "" : `?after=${next}`;
        const { body } = await agent.get(`/api/v1/traces/${traceId}${after}`);
        for (const { span_id: id } of body.spans) seen.add(id);
        expect(body.trace).toMatchObject({ span_count: SPAN_LIMITS.spans, cost_usd: "0.500000000000" });
        ({ next } = body);
      } while (next !== null);
      expect(seen.size).toBe(SPAN_LIMITS.spans);
      const { stored, counted } = await readTraceSums(world.server.database, world.workspaceId);
      expect(stored).toEqual(counted);
    },
  );
});
