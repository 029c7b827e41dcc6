import type { Ctx } from "../kernel/context.ts";
import { type Steps, createTurns } from "../kernel/turns.ts";
import type { ListPrices } from "../prices/own-prices.ts";
import { attributeAgents } from "./attribute-agents.ts";
import { findCauses } from "./find-causes.ts";
import { hashId } from "./hash-id.ts";
import { mergeCopies } from "./merge-copies.ts";
import { findSpanCost } from "./span-cost.ts";
import { type StoredSpan, joinReferences } from "./stored-span.ts";
import type { TelemetrySpan } from "./telemetry.ts";

/** Who sent spans, the prices of their calls, and the ids of their resources. */
type Preparing = { senderId: string; prices: ListPrices; resourceIds: readonly string[] };

/** Workspaces take turns: a model's price that was never looked up takes long to find. */
const { run: takeTurn } = createTurns();

/** Finds what spans refer to in the workspace, and computes what they cost. Of copies, one is prepared. */
export async function prepareSpans(
  ctx: Ctx,
  spans: readonly TelemetrySpan[],
  { senderId, prices, resourceIds }: Preparing,
): Promise<StoredSpan[]> {
  const findAgent = await attributeAgents(ctx, spans, senderId);
  const findCause = await findCauses(ctx, spans);
  function* prepare(): Steps<StoredSpan[]> {
    const prepared: StoredSpan[] = [];
    const nameIds = new Map<string, string>();
    for (const span of mergeCopies(spans)) {
      const nameId = nameIds.get(span.name) ?? hashId(span.name);
      nameIds.set(span.name, nameId);
      const { taskId, missionId, evalRunId } = findCause(span);
      const { costUsd, costSource, priceId } = findSpanCost(prices, span);
      prepared.push(
        joinReferences(span, {
          agentId: findAgent(span),
          nameId,
          resourceId: resourceIds[span.resource] ?? "",
          taskId,
          missionId,
          evalRunId,
          costUsd,
          costSource,
          priceId,
        }),
      );
      yield;
    }
    return prepared;
  }
  return takeTurn(ctx.workspaceId, prepare());
}
