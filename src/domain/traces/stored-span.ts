import type { TelemetrySpan } from "./telemetry.ts";

/** A span with the ids of what it refers to. */
export type StoredSpan = TelemetrySpan & { agentId: string; nameId: string; resourceId: string };
