import type { TraceStatus } from "../../db/generated/enums.ts";
import { findCapture } from "./capture.ts";
import { isCodingAgent } from "./dialects/dialect.ts";
import { type MappedSpan, mapSpan } from "./dialects/map-span.ts";
import { type AttributeReader, createAttributeReader } from "./span-attributes.ts";
import { toSessionTraceId } from "./session-trace.ts";
import { SPAN_LIMITS } from "./span-limits.ts";
import type { Attributes, ReadOptions, SentSpan, TelemetrySpan } from "./telemetry.ts";
import { TRACE_ID, isSpanId, toTraceUuid } from "./trace-ids.ts";

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
  const said = mapSpan({
    scope: place.scope ?? "",
    name: sent.name,
    attributes: sent.attributes,
    resource: resourceAttributes,
  });
  const sessionTraceId = findSessionTrace(said, options);
  const capture = findCapture(options.capture, said.agent);
  const kept = keepParts(sent, createAttributeReader({ capture, workspaceId: options.workspaceId }));
  return createSpan(sent, { place, said, sessionTraceId, kept });
}

function findSessionTrace(
  { dialect, conversation }: MappedSpan,
  { workspaceId }: ReadOptions,
): string | null {
  if (conversation === null || !isCodingAgent(dialect)) return null;
  return toTraceUuid(toSessionTraceId(workspaceId, dialect, conversation));
}

type KeptParts = Pick<
  TelemetrySpan,
  "name" | "statusMessage" | "attributes" | "events" | "links" | "input" | "output" | "dropped" | "redactions"
>;

/** Keeps what is stored as it was sent. */
function keepParts(sent: SentSpan, reader: AttributeReader): KeptParts {
  const name = reader.keepText(sent.name, SPAN_LIMITS.nameLength);
  const message = reader.keepText(sent.statusMessage, SPAN_LIMITS.nameLength);
  const attributes = reader.keep(sent.attributes);
  const [events, links] = [keepEvents(sent, reader), keepLinks(sent, reader)];
  return {
    name,
    statusMessage: message === "" ? null : message,
    attributes,
    events,
    links,
    input: reader.writeContent("input"),
    output: reader.writeContent("output"),
    dropped: reader.counts.dropped,
    redactions: reader.counts.redactions,
  };
}

type SpanParts = Pick<TelemetrySpan, "sessionTraceId"> & {
  place: Omit<SpanPlace, "resourceAttributes">;
  said: MappedSpan;
  kept: KeptParts;
};

/** Lists the members one by one: an object that others are spread into takes several times as long to make and read. */
function createSpan(sent: SentSpan, { place, said, sessionTraceId, kept }: SpanParts): TelemetrySpan {
  const { startedAtUs, endedAtUs, kind, parentSpanId } = sent;
  return {
    number: place.number,
    traceId: toTraceUuid(sent.traceId),
    spanId: sent.spanId.toLowerCase(),
    parentSpanId: isSpanId(parentSpanId) ? parentSpanId.toLowerCase() : null,
    name: kept.name,
    kind: kind > 0 && kind <= KINDS ? kind : 0,
    op: said.op,
    status: STATUSES[sent.statusCode] ?? "unset",
    statusMessage: kept.statusMessage,
    startedAtUs,
    // Clocks are set back.
    endedAtUs: endedAtUs === 0 ? null : Math.max(startedAtUs, endedAtUs),
    agent: said.agent,
    conversationId: said.conversation,
    sessionTraceId,
    scope: place.scope,
    provider: said.provider,
    model: said.model,
    toolName: said.toolName,
    usageRole: said.usageRole,
    usage: said.usageRole === "none" ? null : said.usage,
    causes: said.links,
    attributes: kept.attributes,
    events: kept.events,
    links: kept.links,
    input: kept.input,
    output: kept.output,
    resource: place.resource,
    // Tokens or a cost that no call has are left out too.
    dropped: sent.dropped + kept.dropped + (said.usage?.isRejected === true ? 1 : 0),
    redactions: kept.redactions,
  };
}

function findProblem({ traceId, spanId, startedAtUs, endedAtUs }: SentSpan, nowUs: number): string | null {
  if (!TRACE_ID.test(traceId)) return "traceId must be 16 bytes";
  if (!isSpanId(spanId)) return "spanId must be 8 bytes, and not all zero";
  if (/^0+$/.test(traceId)) return "traceId must not be all zero";
  if (startedAtUs <= 0) return "startTimeUnixNano is missing";
  const latestUs = nowUs + SPAN_LIMITS.hoursAhead * HOUR_US;
  if (startedAtUs > latestUs) return `started more than ${SPAN_LIMITS.hoursAhead} h ahead`;
  return endedAtUs > latestUs ? `ended more than ${SPAN_LIMITS.hoursAhead} h ahead` : null;
}

function keepEvents({ events }: SentSpan, reader: AttributeReader): string | null {
  const kept = events.map(({ name, atUs, attributes }, index) => {
    const fields = {
      name: reader.keepText(name, SPAN_LIMITS.keyLength),
      time: atUs > 0 ? new Date(atUs / 1000).toISOString() : null,
    };
    return addAttributes(fields, reader.keep(attributes, `events.${index}.`));
  });
  return kept.length === 0 ? null : `[${kept.join(",")}]`;
}

function keepLinks({ links }: SentSpan, reader: AttributeReader): string | null {
  const sound = links.filter(({ traceId, spanId }) => TRACE_ID.test(traceId) && isSpanId(spanId));
  reader.counts.dropped += links.length - sound.length;
  const kept = sound.map(({ traceId, spanId, attributes }, index) => {
    const fields = { trace_id: traceId.toLowerCase(), span_id: spanId.toLowerCase() };
    return addAttributes(fields, reader.keep(attributes, `links.${index}.`));
  });
  return kept.length === 0 ? null : `[${kept.join(",")}]`;
}

/** @param fields at least one. @param attributes JSON text, as is the result. */
function addAttributes(fields: object, attributes: string): string {
  return `${JSON.stringify(fields).slice(0, -1)},"attributes":${attributes}}`;
}
