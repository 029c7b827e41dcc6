import { createAttributeReader } from "./span-attributes.ts";
import { DomainError } from "../kernel/errors.ts";
import type { Steps } from "../kernel/turns.ts";
import { reject } from "./rejected-spans.ts";
import type {
  Attributes,
  ReadOptions,
  RejectedSpans,
  SentSpan,
  TelemetryBatch,
  TelemetrySpan,
} from "./telemetry.ts";
import { toTelemetrySpan } from "./to-telemetry-span.ts";
import { SPAN_LIMITS, truncate } from "./span-limits.ts";

/** A span of a request, or why it can't be read. Spans of one process share the object of its attributes. */
export type SentItem = { resource: Attributes; scope: string; span: SentSpan | string };

/**
 * Reads all spans of a request, each in a step. One that can't be stored doesn't affect others.
 *
 * @throws {DomainError} payload_too_large for too many.
 */
export function* readSpans(items: Iterable<SentItem>, options: ReadOptions): Steps<TelemetryBatch> {
  const places = new Map<Attributes, number>();
  const [spans, resources]: [TelemetrySpan[], string[]] = [[], []];
  const rejected: RejectedSpans = { count: 0, reasons: [] };
  let number = 0;

  function findResource(attributes: Attributes): number {
    const known = places.get(attributes);
    if (known !== undefined) return known;
    const place = resources.push(JSON.stringify(createAttributeReader(options).keep(attributes))) - 1;
    places.set(attributes, place);
    return place;
  }

  for (const { resource, scope, span } of items) {
    number++;
    if (number > SPAN_LIMITS.spans) throw createTooManyError();
    const place = {
      number,
      scope: toScope(scope),
      resource: findResource(resource),
      resourceAttributes: resource,
    };
    const read = typeof span === "string" ? span : toTelemetrySpan(span, place, options);
    if (typeof read === "string") reject(rejected, number, read);
    else spans.push(read);
    yield;
  }
  return { spans, resources, rejected };
}

function createTooManyError(): DomainError {
  return new DomainError("payload_too_large", `At most ${SPAN_LIMITS.spans} spans can be sent at once.`);
}

function toScope(scope: string): string | null {
  return scope === "" ? null : truncate(scope, SPAN_LIMITS.wordLength);
}
