import { CLAUDE, CODEX, toAttributes } from "./agent-logs.ts";
import type { OtlpMessage } from "./otlp.ts";

/** As in OTLP. */
export const [DELTA, CUMULATIVE] = [1, 2];

/** When the points of tests begin, and how long they are, in nanoseconds. */
const START = 1_795_345_640_000_000_000n;
const INTERVAL = 60_000_000_000n;

/** A request with metrics of one process. */
export function createMetricsRequest(
  metrics: readonly unknown[],
  { scope = "test", resource = [] }: { scope?: string; resource?: readonly OtlpMessage[] } = {},
): OtlpMessage {
  return {
    resourceMetrics: [
      { resource: { attributes: resource }, scopeMetrics: [{ scope: { name: scope }, metrics }] },
    ],
  };
}

/** A point of the given number of an export, from 0, of a process that began with it or, cumulative, with the first. */
export function createPoint(
  values: Record<string, string | number>,
  given: OtlpMessage,
  { at = 0, temporality = DELTA }: { at?: number; temporality?: number } = {},
): OtlpMessage {
  const start = temporality === DELTA ? START + BigInt(at) * INTERVAL : START;
  return {
    ...{ startTimeUnixNano: `${start}`, timeUnixNano: `${START + BigInt(at + 1) * INTERVAL}` },
    attributes: toAttributes(values),
    ...given,
  };
}

/** A metric that is a sum. */
export function createSum(
  name: string,
  dataPoints: readonly unknown[],
  temporality: number | string = DELTA,
): OtlpMessage {
  return { name, sum: { dataPoints, aggregationTemporality: temporality, isMonotonic: true } };
}

/** A metric that is a histogram. */
export function createHistogram(
  name: string,
  dataPoints: readonly unknown[],
  temporality: number | string = DELTA,
): OtlpMessage {
  return { name, histogram: { dataPoints, aggregationTemporality: temporality } };
}

/** What Claude Code sends in metrics of the turn of `createClaudeLogs()`. */
export function createClaudeMetrics(): OtlpMessage {
  const own = { "session.id": CLAUDE.session, model: "claude-opus-4-8[1m]" };
  const tokens = { input: 30, output: 10, cacheRead: 200, cacheCreation: 40 };
  const metrics = [
    createSum("claude_code.session.count", [createPoint({ "session.id": CLAUDE.session }, { asDouble: 1 })]),
    createSum(
      "claude_code.token.usage",
      Object.entries(tokens).map(([type, count]) => createPoint({ ...own, type }, { asDouble: count })),
    ),
    createSum("claude_code.cost.usage", [createPoint(own, { asDouble: 0.00075 })]),
  ];
  return createMetricsRequest(metrics, { scope: "com.anthropic.claude_code" });
}

/** What Codex sends of the turn of `createCodexLogs()`: histograms without a conversation. */
export function createCodexMetrics(): OtlpMessage {
  const counts = { total: 127, input: 120, cached_input: 100, output: 7, reasoning_output: 3 };
  const points = Object.entries(counts).map(([type, sum]) =>
    createPoint({ model: "gpt-5.5", token_type: type }, { sum, count: "1" }),
  );
  const metrics = [
    createHistogram("codex.turn.token_usage", points),
    createHistogram("codex.turn.e2e_duration_ms", [
      createPoint({ model: "gpt-5.5" }, { sum: 812, count: "1" }),
    ]),
  ];
  return createMetricsRequest(metrics, { scope: CODEX.scope });
}
