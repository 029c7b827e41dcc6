import type { Ctx } from "../../kernel/context.ts";
import type { Capture } from "../capture.ts";
import type { ExportedSpan } from "../export/read-exported-spans.ts";
import { findCauses } from "../find-causes.ts";
import { hashId } from "../hash-id.ts";
import { findSpanCost } from "../span-cost.ts";
import type { StoredSpan } from "../stored-span.ts";
import type { Attributes, SentSpan, TelemetrySpan } from "../telemetry.ts";
import { toTelemetrySpan } from "../to-telemetry-span.ts";
import { toTraceId } from "../trace-ids.ts";

/** What is stored was redacted when it came. */
const AS_STORED: Capture = { own: "full", ofAgents: new Map() };

const STATUS_CODES = { unset: 0, ok: 1, error: 2 } as const;

/** Reads again what stored spans are about. Whose they are stays. */
export async function remapSpans(ctx: Ctx, stored: readonly ExportedSpan[]): Promise<StoredSpan[]> {
  const nowUs = (ctx.now ?? ctx.services.live.now()).getTime() * 1000;
  const { workspaceId } = ctx;
  const read = stored.flatMap((span): { span: TelemetrySpan; of: ExportedSpan }[] => {
    const place = {
      number: 0,
      scope: span.scope,
      resource: 0,
      resourceAttributes: toAttributes(span.resource),
    };
    const again = toTelemetrySpan(toSentSpan(span), place, {
      capture: AS_STORED,
      dropRules: [],
      workspaceId,
      nowUs,
    });
    // Those that started a day ahead of what the clock says now stay as they are.
    return typeof again === "string" ? [] : [{ span: again, of: span }];
  });
  const findCause = await findCauses(
    ctx,
    read.map(({ span }) => span),
  );
  const prices = await ctx.services.prices.get(workspaceId, ctx.read);
  return read.map(({ span, of: { agentId, resourceId, dropped, redactions } }) => ({
    ...span,
    agentId,
    resourceId,
    dropped,
    redactions,
    nameId: hashId(span.name),
    ...findCause(span),
    ...findSpanCost(prices, span),
  }));
}

function toSentSpan(span: ExportedSpan): SentSpan {
  return {
    traceId: toTraceId(span.traceId),
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? "",
    name: span.name,
    kind: span.kind,
    dropped: span.dropped,
    startedAtUs: Number(span.startedAtUs),
    endedAtUs: Number(span.endedAtUs ?? 0),
    statusCode: STATUS_CODES[span.status],
    statusMessage: span.statusMessage ?? "",
    attributes: toAttributes(span.attributes),
    events: span.events.map(({ name, time, attributes }) => ({
      name,
      atUs: time === null ? 0 : Date.parse(time) * 1000,
      attributes: toAttributes(attributes),
    })),
    links: span.links.map(({ trace_id: traceId, span_id: spanId, attributes }) => ({
      traceId,
      spanId,
      attributes: toAttributes(attributes),
    })),
  };
}

function toAttributes(stored: ExportedSpan["attributes"]): Attributes {
  return Object.entries(stored);
}
