import type { TraceStatus } from "../../db/generated/enums.ts";
import { mapSpan } from "./dialects/map-span.ts";
import { type AttributeReader, createAttributeReader } from "./span-attributes.ts";
import { SPAN_LIMITS } from "./span-limits.ts";
import type { Attributes, ReadOptions, SentSpan, TelemetrySpan } from "./telemetry.ts";
import { toTraceUuid } from "./trace-ids.ts";

/** Where a sent span stands in its request, and what is said of its process. */
export type SpanPlace = Pick<TelemetrySpan, "number" | "scope" | "resource"> & {
  resourceAttributes: Attributes;
};

const STATUSES: readonly TraceStatus[] = ["unset", "ok", "error"];
const KINDS = 5;
const HOUR_US = 3_600_000_000;

/** Checks a span and brings it within the limits. @returns the reason if it can't be stored. */
export function toTelemetrySpan(
  sent: SentSpan,
  { resourceAttributes, ...place }: SpanPlace,
  options: ReadOptions,
): TelemetrySpan | string {
  const problem = findProblem(sent, options.nowUs);
  if (problem !== null) return problem;
  const { startedAtUs, endedAtUs, kind, parentSpanId } = sent;
  const reader = createAttributeReader(options);
  const name = reader.keepText(sent.name, SPAN_LIMITS.nameLength);
  const message = reader.keepText(sent.statusMessage, SPAN_LIMITS.nameLength);
  const attributes = reader.keep(sent.attributes);
  const [events, links] = [keepEvents(sent, reader), keepLinks(sent, reader)];
  const { dropped, redactions } = reader.counts;
  const { hasBadUsage, ...description } = describe(sent, place.scope, resourceAttributes);
  return {
    ...place,
    ...description,
    ...{ traceId: toTraceUuid(sent.traceId), spanId: sent.spanId.toLowerCase(), name },
    parentSpanId: isSpanId(parentSpanId) ? parentSpanId.toLowerCase() : null,
    kind: kind > 0 && kind <= KINDS ? kind : 0,
    status: STATUSES[sent.statusCode] ?? "unset",
    statusMessage: message === "" ? null : message,
    startedAtUs,
    // Clocks are set back.
    endedAtUs: endedAtUs === 0 ? null : Math.max(startedAtUs, endedAtUs),
    attributes: JSON.stringify(attributes),
    events: events.length === 0 ? null : JSON.stringify(events),
    links: links.length === 0 ? null : JSON.stringify(links),
    input: toContent(reader.input),
    output: toContent(reader.output),
    dropped: sent.dropped + dropped + (hasBadUsage ? 1 : 0),
    redactions,
  };
}

type Description = Pick<
  TelemetrySpan,
  "op" | "agent" | "conversationId" | "provider" | "model" | "toolName" | "usageRole" | "usage" | "causes"
> & {
  /** Whether it says tokens or a cost that no call has. */
  hasBadUsage: boolean;
};

/** Reads what a span says about itself by attributes, whoever made them. */
function describe({ name, attributes }: SentSpan, scope: string | null, resource: Attributes): Description {
  const mapped = mapSpan({ scope: scope ?? "", name, attributes, resource });
  const { op, agent, conversation: conversationId, provider, model, toolName, usageRole, usage } = mapped;
  return {
    ...{ op, agent, conversationId, provider, model, toolName, usageRole, causes: mapped.links },
    usage: usageRole === "none" ? null : usage,
    hasBadUsage: usage?.problem === "rejected",
  };
}

function findProblem({ traceId, spanId, startedAtUs, endedAtUs }: SentSpan, nowUs: number): string | null {
  if (!/^[0-9a-f]{32}$/i.test(traceId)) return "traceId must be 16 bytes";
  if (!isSpanId(spanId)) return "spanId must be 8 bytes, and not all zero";
  if (/^0+$/.test(traceId)) return "traceId must not be all zero";
  if (startedAtUs <= 0) return "startTimeUnixNano is missing";
  const latestUs = nowUs + SPAN_LIMITS.hoursAhead * HOUR_US;
  if (startedAtUs > latestUs) return `started more than ${SPAN_LIMITS.hoursAhead} h ahead`;
  return endedAtUs > latestUs ? `ended more than ${SPAN_LIMITS.hoursAhead} h ahead` : null;
}

function isSpanId(id: string): boolean {
  return /^(?!0+$)[0-9a-f]{16}$/i.test(id);
}

function keepEvents({ events }: SentSpan, reader: AttributeReader): object[] {
  return events.map(({ name, atUs, attributes }, index) => ({
    name: reader.keepText(name, SPAN_LIMITS.keyLength),
    time: atUs > 0 ? new Date(atUs / 1000).toISOString() : null,
    attributes: reader.keep(attributes, `events.${index}.`),
  }));
}

function keepLinks({ links }: SentSpan, reader: AttributeReader): object[] {
  const sound = links.filter(({ traceId, spanId }) => /^[0-9a-f]{32}$/i.test(traceId) && isSpanId(spanId));
  reader.counts.dropped += links.length - sound.length;
  return sound.map(({ traceId, spanId, attributes }, index) => ({
    ...{ trace_id: traceId.toLowerCase(), span_id: spanId.toLowerCase() },
    attributes: reader.keep(attributes, `links.${index}.`),
  }));
}

function toContent(content: object): string | null {
  return Object.keys(content).length === 0 ? null : JSON.stringify(content);
}
