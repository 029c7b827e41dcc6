import type { TokenCounts, TokenKind } from "../prices/price.ts";
import type { Usage } from "./dialects/read-usage.ts";
import type { TelemetrySpan } from "./telemetry.ts";

const ROLES: readonly TelemetrySpan["usageRole"][] = ["none", "aggregate", "leaf"];

/**
 * Makes one span of its copies in a request: the last one that has ended counts; if there is none, the last one. Of
 * what they used, the most counts.
 */
export function mergeCopies<Span extends TelemetrySpan>(spans: readonly Span[]): Span[] {
  const merged = new Map<string, Span>();
  for (const span of spans) {
    const known = merged.get(toSpanKey(span));
    merged.set(toSpanKey(span), known === undefined ? span : merge(known, span));
  }
  return [...merged.values()];
}

/** Identifies a span in its workspace. */
export function toSpanKey({ traceId, spanId }: Pick<TelemetrySpan, "traceId" | "spanId">): string {
  return `${traceId} ${spanId}`;
}

function merge<Span extends TelemetrySpan>(known: Span, span: Span): Span {
  const isLater = known.endedAtUs === null || span.endedAtUs !== null;
  return {
    ...(isLater ? span : known),
    parentSpanId: known.parentSpanId ?? span.parentSpanId,
    usage: mergeUsage(known.usage, span.usage),
    usageRole:
      ROLES.indexOf(known.usageRole) < ROLES.indexOf(span.usageRole) ? span.usageRole : known.usageRole,
  };
}

function mergeUsage(one: Usage | null, other: Usage | null): Usage | null {
  if (one === null || other === null) return one ?? other;
  // Object.keys() loses the names' types.
  const kinds = Object.keys(one.tokens) as TokenKind[];
  const tokens = kinds.map((kind) => [kind, max(one.tokens[kind], other.tokens[kind])] as const);
  return {
    ...other,
    // Its names are those of both.
    tokens: Object.fromEntries(tokens) as TokenCounts,
    costPico: max(one.costPico, other.costPico),
  };
}

function max(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
