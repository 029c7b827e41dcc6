import type { FieldCall, RouteCall } from "./calls.ts";
import { TEST_SPAN_ID, createRequest, createSpan } from "./otlp.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

/** Calls of the fields for traces with another workspace's ids. */
export function traceCalls(): Record<string, FieldCall[]> {
  return {
    // Only routes can send what it takes.
    ingestTelemetry: [],
  };
}

/** Calls of the routes for traces with another workspace's ids. */
export function traceRoutes({ ids }: PopulatedWorkspace): Record<string, RouteCall[]> {
  const traceId = ids.trace.replaceAll("-", "");
  const body = createRequest([createSpan({ traceId, spanId: TEST_SPAN_ID })]);
  return {
    "POST /v1/traces": [{ path: "/v1/traces", body, status: 200 }],
    "POST /api/v1/traces": [{ path: "/api/v1/traces", body, status: 200 }],
  };
}
