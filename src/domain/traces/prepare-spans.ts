import type { Ctx } from "../kernel/context.ts";
import type { ListPrices } from "../prices/own-prices.ts";
import { attributeAgents } from "./attribute-agents.ts";
import { findCauses } from "./find-causes.ts";
import { hashId } from "./hash-id.ts";
import { mergeCopies } from "./merge-copies.ts";
import { NO_COST, type SpanCost, computeSpanCost, toSentCost } from "./span-cost.ts";
import type { StoredSpan } from "./stored-span.ts";
import type { TelemetryBatch, TelemetrySpan } from "./telemetry.ts";

/** Finds what spans refer to in the workspace, and computes what they cost. Of copies, one is prepared. */
export async function prepareSpans(
  ctx: Ctx,
  { spans, resources }: TelemetryBatch,
  { senderId, prices }: { senderId: string; prices: ListPrices },
): Promise<StoredSpan[]> {
  const findAgent = await attributeAgents(ctx, spans, senderId);
  const findCause = await findCauses(ctx, spans);
  const resourceIds = resources.map((resource) => hashId(resource));
  return mergeCopies(spans).map((span) => ({
    ...span,
    ...findCause(span),
    ...findCost(span, prices),
    agentId: findAgent(span),
    nameId: hashId(span.name),
    resourceId: resourceIds[span.resource] ?? "",
  }));
}

function findCost({ usage, ...span }: TelemetrySpan, prices: ListPrices): SpanCost {
  if (usage === null) return NO_COST;
  if (usage.costPico !== null) return toSentCost(usage.costPico);
  return computeSpanCost(prices, { ...span, tokens: usage.tokens });
}
