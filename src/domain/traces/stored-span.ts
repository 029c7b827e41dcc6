import type { SpanCost } from "./span-cost.ts";
import type { TelemetrySpan } from "./telemetry.ts";

/** A span with the ids of what it refers to, and its cost. */
export type StoredSpan = TelemetrySpan &
  SpanCost & {
    agentId: string;
    nameId: string;
    resourceId: string;
    taskId: string | null;
    missionId: string | null;
    evalRunId: string | null;
  };
