import { groupBy } from "../../kernel/group-by.ts";
import type { ExportedSpan } from "./read-exported-spans.ts";
import { toOtlpAttributes } from "./to-otlp-attributes.ts";
import { toOtlpSpan } from "./to-otlp-span.ts";

/** A span as JSON, with what lines are made by. */
export type WrittenSpan = Pick<ExportedSpan, "createdAt" | "traceId" | "spanId" | "scope" | "resourceId"> & {
  text: string;
  /** JSON too. */
  resource: string;
  /** How much longer a page is with it. */
  characters: number;
};

/** Writes a span, after another one: those of one process share its description. */
export function writeSpan(span: ExportedSpan, previous: WrittenSpan | undefined): WrittenSpan {
  const { createdAt, traceId, spanId, scope, resourceId } = span;
  const text = JSON.stringify(toOtlpSpan(span));
  const resource =
    previous?.resourceId === resourceId
      ? previous.resource
      : JSON.stringify({ attributes: toOtlpAttributes(span.resource) });
  const isShared = previous?.resourceId === resourceId && previous.traceId === traceId;
  const characters = text.length + (isShared ? 0 : resource.length);
  return { createdAt, traceId, spanId, scope, resourceId, text, resource, characters };
}

/** Writes requests, one for each trace. */
export function writeLines(spans: readonly WrittenSpan[]): string[] {
  return Array.from(groupBy(spans, ({ traceId }) => traceId).values(), writeLine);
}

/** Spans of one process are sent together, and of these the spans of one library. */
function writeLine(spans: readonly WrittenSpan[]): string {
  const byResource = groupBy(spans, ({ resourceId }) => resourceId);
  const resources = Array.from(byResource.values(), (ofResource) => {
    const scopes = Array.from(groupBy(ofResource, ({ scope }) => scope ?? "").values(), writeScope);
    return `{"resource":${ofResource[0]?.resource ?? "{}"},"scopeSpans":[${scopes.join(",")}]}`;
  });
  return `{"resourceSpans":[${resources.join(",")}]}`;
}

function writeScope(spans: readonly WrittenSpan[]): string {
  const scope = { name: spans[0]?.scope ?? "" };
  return `{"scope":${JSON.stringify(scope)},"spans":[${spans.map(({ text }) => text).join(",")}]}`;
}
