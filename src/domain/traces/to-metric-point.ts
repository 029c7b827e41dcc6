import type { Metered } from "../usage/metered.ts";
import { createFind, findInResource, toWord } from "./dialects/find-value.ts";
import { USAGE_METRICS, type UsageMetric } from "./dialects/usage-metrics.ts";
import { readLinks } from "./dialects/read-links.ts";
import { toCostPico, toTokens } from "./dialects/read-usage.ts";
import { SPAN_LIMITS } from "./span-limits.ts";
import { digest } from "./session-trace.ts";
import type { Attributes, MetricPoint, ReadOptions, SentPoint } from "./telemetry.ts";
import type { SpanPlace } from "./to-telemetry-span.ts";

const [DELTA, CUMULATIVE] = [1, 2];
const AGENT = ["gen_ai.agent.id", "gen_ai.agent.name"];
const DOLLAR_PICO = 1_000_000_000_000n;
const HOUR_US = 3_600_000_000;

/** Reads a point. @returns null if it says nothing of what calls used, a text why it can't be stored. */
export function toMetricPoint(
  sent: SentPoint,
  { scope, resourceAttributes }: SpanPlace,
  { nowUs }: ReadOptions,
): MetricPoint | string | null {
  const metric = USAGE_METRICS.get(sent.metric);
  if (metric === undefined || sent.value === null) return null;
  const find = createFind(sent.attributes);
  const counts = findCounts(metric, find([metric.kinds?.key ?? ""]));
  if (counts === undefined) return null;
  const problem = findProblem(sent, nowUs);
  if (problem !== null) return problem;
  const amount = metric.kinds === null ? toCostPico(sent.value, DOLLAR_PICO) : toTokens(sent.value);
  if (amount === null || amount === "invalid") return "says tokens or a cost that no call has";
  const isDelta = sent.temporality === DELTA;
  return {
    series: digest([
      ...[digestResource(resourceAttributes), scope, sent.metric, isDelta],
      sent.attributes.toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ]),
    isDelta,
    startedAtUs: sent.startedAtUs,
    atUs: sent.atUs,
    counts,
    amount,
    agent: toWord(find(AGENT)),
    model: toWord(find(metric.model)),
    causes: readLinks(find, findInResource(resourceAttributes)),
  };
}

function findCounts({ kinds }: UsageMetric, kind: unknown): readonly Metered[] | undefined {
  if (kinds === null) return ["costPico"];
  return typeof kind === "string" ? kinds.counts.get(kind) : undefined;
}

function findProblem({ temporality, startedAtUs, atUs }: SentPoint, nowUs: number): string | null {
  if (temporality !== DELTA && temporality !== CUMULATIVE) return "is neither a delta nor cumulative";
  if (atUs <= 0) return "timeUnixNano is missing";
  if (startedAtUs > atUs) return "startTimeUnixNano is after timeUnixNano";
  const { hoursAhead } = SPAN_LIMITS;
  return atUs > nowUs + hoursAhead * HOUR_US ? `is more than ${hoursAhead} h ahead` : null;
}

/** Points of one process share the object of its attributes, which may be large. */
const RESOURCES = new WeakMap<Attributes, string>();

function digestResource(resource: Attributes): string {
  const known = RESOURCES.get(resource) ?? digest(resource);
  RESOURCES.set(resource, known);
  return known;
}
