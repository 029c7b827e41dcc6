import type { ServerSpan } from "../kernel/server-span.ts";
import { NO_LINKS } from "./dialects/read-links.ts";
import { hashId } from "./hash-id.ts";
import type { PlacedSpan } from "./place-in-tasks.ts";
import { NO_COST } from "./span-cost.ts";
import { SPAN_LIMITS, truncate } from "./span-limits.ts";
import type { StoredSpan } from "./stored-span.ts";
import { toTraceUuid } from "./trace-ids.ts";

/** What the service says of itself, as JSON. */
export const SERVER_RESOURCE = JSON.stringify({ "service.name": "agent-ops" });

const RESOURCE_ID = hashId(SERVER_RESOURCE);
/** A span within a process, as in OTLP. */
const INTERNAL = 1;

/** Builds what is stored of a span of the service itself. It has no usage. */
export function toStoredSpan(span: PlacedSpan): StoredSpan {
  const { traceId, spanId, parentSpanId, op, status, statusMessage, agentId } = span;
  const { conversationId, taskId, missionId, startedAt, endedAt, attributes, events } = span;
  const name = truncate(span.name, SPAN_LIMITS.nameLength);
  return {
    number: 0,
    traceId: toTraceUuid(traceId),
    spanId,
    parentSpanId,
    name,
    nameId: hashId(name),
    kind: INTERNAL,
    op,
    status,
    statusMessage,
    agent: null,
    agentId,
    conversationId,
    taskId,
    missionId,
    startedAtUs: toMicroseconds(startedAt),
    endedAtUs: endedAt === null ? null : toMicroseconds(endedAt),
    evalRunId: null,
    sessionTraceId: null,
    scope: null,
    provider: null,
    model: null,
    toolName: null,
    usageRole: "none",
    usage: null,
    ...NO_COST,
    causes: NO_LINKS,
    attributes: JSON.stringify(attributes),
    events: events.length === 0 ? null : JSON.stringify(events.map(toSpanEvent)),
    links: null,
    input: null,
    output: null,
    resource: 0,
    resourceId: RESOURCE_ID,
    dropped: 0,
    redactions: 0,
  };
}

function toMicroseconds(instant: string): number {
  return Date.parse(instant) * 1000;
}

function toSpanEvent({ name, at }: ServerSpan["events"][number]): object {
  return { name, time: at, attributes: {} };
}
