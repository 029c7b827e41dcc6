import { type Ctx, openCtx } from "../../kernel/context.ts";
import { DomainError } from "../../kernel/errors.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { readTraceSettings } from "../read-trace-settings.ts";
import { storeSpans } from "../store-spans.ts";
import type { RejectedSpans, TelemetryBatch, TelemetrySource } from "../telemetry.ts";

/** How many spans were stored, how many are older than the workspace keeps, and which can't be stored. */
export type TelemetryImport = { stored: number; old: number; rejected: RejectedSpans };

/**
 * Stores spans from elsewhere as an agent's, as if each trace had begun to arrive when it began: what its calls used is
 * charged to that day, and to no budget. For the command line.
 *
 * @throws {DomainError} forbidden for others; not_found; what reading the source throws.
 */
export async function importTelemetry(
  ctx: Ctx,
  { source, agentId }: { source: TelemetrySource; agentId: string },
): Promise<TelemetryImport> {
  if (ctx.actor.type !== "system")
    throw new DomainError("forbidden", "Traces are imported by the command line.");
  const { capture, now, oldest } = await readTraceSettings(ctx, agentId);
  const { workspaceId } = ctx;
  // What was kept elsewhere is kept here.
  const options = { capture, dropRules: [], workspaceId, nowUs: now.getTime() * 1000 };
  const { spans, ...batch } = await source.read(options);
  const result: TelemetryImport = { stored: 0, old: 0, rejected: batch.rejected };
  for (const ofTrace of groupBy(spans, ({ traceId }) => traceId).values()) {
    const at = new Date(ofTrace.reduce((ms, one) => Math.min(ms, one.startedAtUs / 1000), now.getTime()));
    if (at < oldest) {
      result.old += ofTrace.length;
      continue;
    }
    const trace: TelemetryBatch = { ...batch, spans: ofTrace };
    await storeSpans(openCtx(ctx.services, ctx, at), { batch: trace, agentId, now: at });
    result.stored += trace.spans.length;
  }
  return result;
}
