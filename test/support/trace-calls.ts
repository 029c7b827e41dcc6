import { toTraceId } from "../../src/domain/traces/trace-ids.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import type { FieldCall, RouteCall } from "./calls.ts";
import { TEST_SPAN_ID, createRequest, createSpan } from "./otlp.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

/** Calls of the fields for traces with another workspace's ids. */
export function traceCalls({ ids }: PopulatedWorkspace): Record<string, FieldCall[]> {
  return {
    // Only routes can send what it takes.
    ingestTelemetry: [],
    traces: [
      { args: { filter: { plumbing: true } }, outcome: "own" },
      { args: { first: 50, offset: 0, filter: { plumbing: true } }, outcome: "own" },
      { args: { filter: { agentId: toGlobalId("Agent", ids.agent) } }, outcome: "own" },
      { args: { filter: { taskUuid: ids.task, missionUuid: ids.mission } }, outcome: "own" },
    ],
    usage: [{ args: { dimension: "MODEL", period: "ALL" }, outcome: "own" }],
    trace: [{ args: { traceId: toTraceId(ids.trace) }, outcome: "NOT_FOUND" }],
  };
}

/** Calls of the routes for traces with another workspace's ids. */
export function traceRoutes({ ids }: PopulatedWorkspace): Record<string, RouteCall[]> {
  const traceId = toTraceId(ids.trace);
  const body = createRequest([createSpan({ traceId, spanId: TEST_SPAN_ID })]);
  const trace = `/api/v1/traces/${traceId}`;
  return {
    "GET /api/v1/operator/traces": [
      { path: `/api/v1/operator/traces?plumbing=true&agent_id=${ids.agent}`, status: 200 },
    ],
    "GET /api/v1/operator/usage": [{ path: "/api/v1/operator/usage?by=model", status: 200 }],
    "GET /api/v1/traces/:trace_id": [{ path: trace, status: 404 }],
    "GET /api/v1/traces/:trace_id/spans/:span_id": [
      { path: `${trace}/spans/${TEST_SPAN_ID}?content=true`, status: 404 },
    ],
    "POST /v1/traces": [{ path: "/v1/traces", body, status: 200 }],
    "POST /api/v1/traces": [{ path: "/api/v1/traces", body, status: 200 }],
  };
}
