import { describe, expect, it } from "vitest";
import { formatMetric, nameMetric } from "../../../src/domain/alerts/format-metric.ts";

describe("formatMetric", () => {
  it.each([
    ["question_age", 90.44, "question age: 90.4 s"],
    ["task_failure_rate", 0.4321, "task failure rate: 43.2%"],
    ["task_failure_rate", 1, "task failure rate: 100%"],
    ["cost_usd", 1234.5, "cost: $1,234.50"],
    ["queue_depth", 12_345, "queue depth: 12,345"],
    ["queue_age", 86_400.123, "queue age: 86,400 s"],
    ["command_ack_p95", 0.012_34, "command ack p95: 0.0123 s"],
  ] as const)("names %s and says %d with its unit", (metric, value, text) => {
    expect(`${nameMetric(metric)}: ${formatMetric(metric, value)}`).toBe(text);
  });
});
