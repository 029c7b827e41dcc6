import type { SpanCost } from "./span-cost.ts";
import type { TelemetrySpan } from "./telemetry.ts";

/** The ids of what a span refers to, and its cost. */
export type SpanReferences = SpanCost & {
  agentId: string;
  nameId: string;
  resourceId: string;
  taskId: string | null;
  missionId: string | null;
  evalRunId: string | null;
};

export type StoredSpan = TelemetrySpan & SpanReferences;

/** Lists the members one by one: adding to so large an object, or spreading it, takes several times as long. */
export function joinReferences(span: TelemetrySpan, references: SpanReferences): StoredSpan {
  return {
    number: span.number,
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    name: span.name,
    kind: span.kind,
    op: span.op,
    status: span.status,
    statusMessage: span.statusMessage,
    startedAtUs: span.startedAtUs,
    endedAtUs: span.endedAtUs,
    agent: span.agent,
    conversationId: span.conversationId,
    sessionTraceId: span.sessionTraceId,
    scope: span.scope,
    provider: span.provider,
    model: span.model,
    toolName: span.toolName,
    usageRole: span.usageRole,
    usage: span.usage,
    causes: span.causes,
    attributes: span.attributes,
    events: span.events,
    links: span.links,
    input: span.input,
    output: span.output,
    resource: span.resource,
    dropped: span.dropped,
    redactions: span.redactions,
    agentId: references.agentId,
    nameId: references.nameId,
    resourceId: references.resourceId,
    taskId: references.taskId,
    missionId: references.missionId,
    evalRunId: references.evalRunId,
    costUsd: references.costUsd,
    costSource: references.costSource,
    priceId: references.priceId,
  };
}
