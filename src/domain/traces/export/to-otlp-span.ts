import { toTraceId } from "../trace-ids.ts";
import type { Json } from "../telemetry.ts";
import type { ExportedSpan } from "./read-exported-spans.ts";
import { type OtlpAttributes, toOtlpAttributes } from "./to-otlp-attributes.ts";

const STATUS_CODES: Readonly<Record<string, number>> = { ok: 1, error: 2 };

/** Writes a span as OTLP's JSON has it, with its content among its attributes again. */
export function toOtlpSpan(span: ExportedSpan): object {
  const { parentSpanId, endedAtUs, statusMessage, dropped } = span;
  const code = STATUS_CODES[span.status] ?? 0;
  return {
    traceId: toTraceId(span.traceId),
    spanId: span.spanId,
    ...(parentSpanId !== null && { parentSpanId }),
    name: span.name,
    kind: span.kind,
    startTimeUnixNano: `${span.startedAtUs}000`,
    ...(endedAtUs !== null && { endTimeUnixNano: `${endedAtUs}000` }),
    attributes: mergeAttributes(span, span.attributes, ""),
    events: span.events.map(({ name, time, attributes }, index) => ({
      name,
      ...(time !== null && { timeUnixNano: `${Date.parse(time)}000000` }),
      attributes: mergeAttributes(span, attributes, `events.${index}.`),
    })),
    links: span.links.map(({ trace_id: traceId, span_id: spanId, attributes }, index) => ({
      traceId,
      spanId,
      attributes: mergeAttributes(span, attributes, `links.${index}.`),
    })),
    status: { code, ...(statusMessage !== null && { message: statusMessage }) },
    ...(dropped > 0 && { droppedAttributesCount: dropped }),
  };
}

/** Content that was said by an event or a link is stored under names with its place. */
const PLACED = /^(?:events|links)\.\d+\./;

function mergeAttributes(
  { input, output }: ExportedSpan,
  attributes: ExportedSpan["attributes"],
  place: string,
): OtlpAttributes {
  const content = [input, output].flatMap((members) => Object.entries(members ?? {}));
  const own = content.flatMap(([name, value]): [string, Json][] => {
    const said = PLACED.exec(name)?.[0] ?? "";
    return said === place ? [[name.slice(place.length), value]] : [];
  });
  return toOtlpAttributes({ ...attributes, ...Object.fromEntries(own) });
}
