import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decode } from "../../../compat/otlp/decode.ts";
import { ingestTelemetry } from "../../../src/domain/traces/ingest-telemetry.ts";
import { readUsage } from "../../../src/domain/usage/read-usage.ts";
import {
  CUMULATIVE,
  DELTA,
  createMetricsRequest,
  createPoint,
  createSum,
} from "../../support/agent-metrics.ts";
import type { OtlpMessage } from "../../support/otlp.ts";
import { runs } from "../../support/property-runs.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { type TraceScene, createTraceScene } from "../../support/trace-scene.ts";

let server: QuietServices;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

const KINDS = ["input", "output", "cacheRead"] as const;

/** What a process counts between its exports: tokens of each kind. */
const exports = fc.array(fc.tuple(fc.nat({ max: 50 }), fc.nat({ max: 50 }), fc.nat({ max: 50 })), {
  minLength: 1,
  maxLength: 6,
});
const history = fc.record({
  processes: fc.array(fc.record({ temporality: fc.constantFrom(DELTA, CUMULATIVE), exports }), {
    minLength: 1,
    maxLength: 3,
  }),
  // Numbers by which what is sent is ordered, and sent again.
  order: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
});

type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

/** The request of each export of each process. */
function createRequests({ processes }: History): OtlpMessage[] {
  return processes.flatMap(({ temporality, exports: counted }, process) =>
    counted.map((_, at) => {
      const points = KINDS.map((type, kind) => {
        const since = temporality === DELTA ? counted.slice(at, at + 1) : counted.slice(0, at + 1);
        const asInt = since.reduce((sum, counts) => sum + (counts[kind] ?? 0), 0);
        return createPoint({ model: "m", type, process }, { asInt }, { at, temporality });
      });
      return createMetricsRequest([createSum("claude_code.token.usage", points, temporality)]);
    }),
  );
}

async function send({ agent }: TraceScene, request: OtlpMessage): Promise<void> {
  const body = { bytes: Buffer.from(JSON.stringify(request)), signal: "metrics", encoding: "json" } as const;
  await ingestTelemetry(agent, { read: (options) => Promise.resolve(decode(body, options)) });
}

function sumKind({ processes }: History, kind: number): number {
  return processes
    .flatMap((process) => process.exports)
    .reduce((sum, counts) => sum + (counts[kind] ?? 0), 0);
}

describe("what metrics count", () => {
  it("is counted once, whatever is sent in whatever order, by several at once", async () => {
    const property = fc.asyncProperty(history, async (given) => {
      const scene = await createTraceScene(server);
      const requests = createRequests(given);
      const sent = given.order.map((number) => requests[number % requests.length]);
      const all = [...sent, ...requests].filter((request) => request !== undefined);
      const connections = [0, 1, 2, 3].map((one) => all.filter((_, at) => at % 4 === one));
      await Promise.all(
        connections.map(async (ofOne) => {
          for (const request of ofOne) await send(scene, request);
        }),
      );
      const { sums } = await readUsage(scene.agent, { dimension: "agent_model", period: "all" });
      const [input, output, read] = KINDS.map((_, kind) => sumKind(given, kind));
      expect(sums[0]?.metricInputTokens ?? 0).toBe((input ?? 0) + (read ?? 0));
      expect(sums[0]?.metricOutputTokens ?? 0).toBe(output);
      expect(sums[0]?.metricCacheReadTokens ?? 0).toBe(read);
    });
    await fc.assert(property, { numRuns: runs(15) });
  });
});
