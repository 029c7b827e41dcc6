import type { Steps } from "../kernel/turns.ts";
import { readItems } from "./read-items.ts";
import type { SentItem } from "./sent-item.ts";
import type { ReadOptions, SentPoint, TelemetryBatch } from "./telemetry.ts";
import { toMetricPoint } from "./to-metric-point.ts";

/**
 * Reads the points of a request's metrics that say what calls of models used, each in a step. Others are counted.
 *
 * @throws {DomainError} payload_too_large for too many.
 */
export function readMetrics(
  items: Iterable<SentItem<SentPoint>>,
  options: ReadOptions,
): Steps<TelemetryBatch> {
  return readItems(items, options, {
    word: "point",
    add: (batch, sent, place) => {
      const point = toMetricPoint(sent, place, options);
      if (typeof point === "string") return point;
      if (point === null) batch.dropped++;
      else batch.points.push(point);
      return undefined;
    },
  });
}
