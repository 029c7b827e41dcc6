import { findStrictest } from "./capture.ts";
import { createAttributeReader } from "./span-attributes.ts";
import { DomainError } from "../kernel/errors.ts";
import type { Steps } from "../kernel/turns.ts";
import { redactContentText } from "./redact-content.ts";
import { reject } from "./rejected-spans.ts";
import { type SentItem, type SentParts, countParts } from "./sent-item.ts";
import { SPAN_LIMITS, truncate } from "./span-limits.ts";
import type { Attributes, ReadOptions, TelemetryBatch } from "./telemetry.ts";
import type { SpanPlace } from "./to-telemetry-span.ts";

/** How what was sent is read. */
type ItemReader<Sent> = {
  /** What one of them is called. */
  word: TelemetryBatch["rejected"]["word"];
  /** Adds what it says to the batch. @returns why it can't be stored, if so. */
  add: (batch: TelemetryBatch, sent: Sent, place: SpanPlace) => string | undefined;
};

/**
 * Reads all that a request says, each in a step. What can't be stored doesn't affect the rest.
 *
 * @throws {DomainError} payload_too_large for too many.
 */
export function* readItems<Sent extends SentParts>(
  items: Iterable<SentItem<Sent>>,
  options: ReadOptions,
  { word, add }: ItemReader<Sent>,
): Steps<TelemetryBatch> {
  const places = new Map<Attributes, number>();
  // A process may speak of any agent.
  const ofProcess = { workspaceId: options.workspaceId, capture: findStrictest(options.capture) };
  const batch: TelemetryBatch = {
    spans: [],
    calls: [],
    points: [],
    scores: [],
    resources: [],
    count: 0,
    dropped: 0,
    droppedByRules: options.dropRules.map(() => 0),
    rejected: { word, count: 0, reasons: [] },
  };

  function findResource(attributes: Attributes): number {
    const known = places.get(attributes);
    if (known !== undefined) return known;
    const place = batch.resources.push(createAttributeReader(ofProcess).keep(attributes)) - 1;
    places.set(attributes, place);
    return place;
  }

  function read({ resource, scope, sent }: NonNullable<SentItem<Sent>>): void {
    const number = ++batch.count;
    if (number > SPAN_LIMITS.spans) throw createTooManyError(SPAN_LIMITS.spans, `${word}s`);
    const place = {
      number,
      scope: toScope(scope),
      resource: findResource(resource),
      resourceAttributes: resource,
    };
    const problem = typeof sent === "string" ? sent : add(batch, sent, place);
    if (problem !== undefined) reject(batch.rejected, number, problem);
  }

  let parts = 0;
  for (const item of items) {
    parts += countParts(item);
    if (parts > SPAN_LIMITS.parts)
      throw createTooManyError(SPAN_LIMITS.parts, "attributes, events and links");
    if (item !== null) read(item);
    yield;
  }
  return batch;
}

function createTooManyError(most: number, words: string): DomainError {
  return new DomainError("payload_too_large", `At most ${most} ${words} can be sent at once.`);
}

function toScope(scope: string): string | null {
  return scope === "" ? null : redactContentText(truncate(scope, SPAN_LIMITS.wordLength));
}
