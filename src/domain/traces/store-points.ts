import type { Ctx } from "../kernel/context.ts";
import { type CountedPoint, countPoints } from "../usage/count-points.ts";
import { attributeAgents } from "./attribute-agents.ts";
import { countSpans } from "./count-spans.ts";
import { findCauses } from "./find-causes.ts";
import { hashId } from "./hash-id.ts";
import type { MetricPoint } from "./telemetry.ts";

/** Points of one transaction. */
const BATCH = 500;

/** Counts what points of metrics say, some in each transaction, as if they had been sent apart. */
export async function storePoints(ctx: Ctx, points: readonly MetricPoint[], senderId: string): Promise<void> {
  const findAgent = await attributeAgents(ctx, points, senderId);
  const findCause = await findCauses(ctx, points);

  function toCounted(point: MetricPoint): CountedPoint {
    const { series, isDelta, startedAtUs, atUs, counts, amount, model } = point;
    return {
      // Nobody adds to another sender's series.
      seriesId: hashId(`${senderId} ${series}`),
      isDelta,
      counts,
      amount,
      model,
      agentId: findAgent(point),
      taskId: findCause(point).taskId,
      startedUs: BigInt(startedAtUs),
      atUs: BigInt(atUs),
    };
  }

  const inOrder = points.toSorted((one, other) => one.atUs - other.atUs);
  for (let start = 0; start < inOrder.length; start += BATCH) {
    const counted = inOrder.slice(start, start + BATCH).map(toCounted);
    await ctx.transaction(async (tx) => countSpans(tx, await countPoints(tx, counted)));
  }
}
