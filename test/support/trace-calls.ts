import { toTraceId } from "../../src/domain/traces/trace-ids.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { createLogsRequest, createRecord } from "./agent-logs.ts";
import { createMetricsRequest, createPoint, createSum } from "./agent-metrics.ts";
import type { FieldCall, RouteCall } from "./calls.ts";
import { TEST_SPAN_ID, createRequest, createSpan, textAttribute } from "./otlp.ts";
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
      { args: { filter: { evalRunUuid: ids.evalRun } }, outcome: "own" },
      { args: { filter: { name: "e", minDurationMs: 1, lost: false, plumbing: true } }, outcome: "own" },
    ],
    remapTraces: [
      {
        args: { input: { from: "2020-01-01T00:00:00Z", until: "2100-01-01T00:00:00Z" } },
        outcome: "own",
        forPeople: true,
      },
    ],
    spanDropRules: [{ args: {}, outcome: "own" }],
    setSpanDropRules: [{ args: { input: { rules: [{ name: "x" }] } }, outcome: "own", forPeople: true }],
    usage: [{ args: { dimension: "MODEL", period: "ALL" }, outcome: "own" }],
    deleteTraces: [
      {
        args: { input: { agentId: toGlobalId("Agent", ids.agent), conversationId: "x" } },
        ...{ outcome: "own", forPeople: true },
      },
      { args: { input: { agentId: toGlobalId("Agent", ids.agent) } }, outcome: "own", forPeople: true },
    ],
    traceExport: [{ args: { content: true }, outcome: "own" }],
    scoreTrace: [
      { args: { input: { traceId: toTraceId(ids.trace), name: "quality", value: 1 } }, outcome: "NOT_FOUND" },
    ],
    addTraceToEval: [
      {
        args: {
          input: {
            traceId: toTraceId(ids.trace),
            runId: toGlobalId("EvalRun", ids.evalRun),
            status: "FAILED",
          },
        },
        outcome: "NOT_FOUND",
      },
    ],
    deleteScore: [{ args: { input: { uuid: ids.score } }, outcome: "NOT_FOUND" }],
    trace: [{ args: { traceId: toTraceId(ids.trace) }, outcome: "NOT_FOUND" }],
  };
}

/** Calls of the routes for traces with another workspace's ids. */
export function traceRoutes({ ids }: PopulatedWorkspace): Record<string, RouteCall[]> {
  const traceId = toTraceId(ids.trace);
  const body = createRequest([createSpan({ traceId, spanId: TEST_SPAN_ID })]);
  const resource = [
    textAttribute("aos.task_id", ids.task),
    textAttribute("aos.reservation.id", ids.reservation),
  ];
  const event = { "event.name": "gen_ai.evaluation.result" };
  const record = createRecord(event, { traceId, spanId: TEST_SPAN_ID });
  const logs = createLogsRequest([record], { resource });
  const point = createPoint({ model: "x" }, { asDouble: 1 });
  const metrics = createMetricsRequest([createSum("claude_code.cost.usage", [point])], { resource });
  const trace = `/api/v1/traces/${traceId}`;
  return {
    "GET /api/v1/operator/traces": [
      { path: `/api/v1/operator/traces?plumbing=true&agent_id=${ids.agent}`, status: 200 },
      { path: `/api/v1/operator/traces?plumbing=true&eval_run_id=${ids.evalRun}`, status: 200 },
    ],
    "GET /api/v1/operator/usage": [{ path: "/api/v1/operator/usage?by=model", status: 200 }],
    "GET /api/v1/traces/:trace_id": [{ path: trace, status: 404 }],
    "GET /api/v1/traces/:trace_id/spans/:span_id": [
      { path: `${trace}/spans/${TEST_SPAN_ID}?content=true`, status: 404 },
    ],
    "GET /api/v1/operator/traces/export": [
      { path: "/api/v1/operator/traces/export?content=true", status: 200 },
    ],
    "GET /api/v1/traces/:trace_id/scores": [{ path: `${trace}/scores`, status: 404 }],
    "POST /api/v1/traces/:trace_id/scores": [
      { path: `${trace}/scores`, body: { name: "quality", value: 1 }, status: 404 },
    ],
    "POST /v1/traces": [{ path: "/v1/traces", body, status: 200 }],
    "POST /api/v1/traces": [{ path: "/api/v1/traces", body, status: 200 }],
    "POST /v1/logs": [{ path: "/v1/logs", body: logs, status: 200 }],
    "POST /api/v1/logs": [{ path: "/api/v1/logs", body: logs, status: 200 }],
    "POST /v1/metrics": [{ path: "/v1/metrics", body: metrics, status: 200 }],
    "POST /api/v1/metrics": [{ path: "/api/v1/metrics", body: metrics, status: 200 }],
  };
}
