import type { Ctx } from "../kernel/context.ts";
import { createQuotaError } from "../kernel/quota-error.ts";
import { DomainError } from "../kernel/errors.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { chargeLoggedCalls } from "./charge-logged-calls.ts";
import { countDropped } from "./drop-rules/count-dropped.ts";
import { type TraceSettings, readTraceSettings } from "./read-trace-settings.ts";
import { reportEvaluations } from "./scores/report-evaluations.ts";
import { storeSentScores } from "./scores/store-sent-scores.ts";
import type { SentScore } from "./scores/trace-score.ts";
import { storePoints } from "./store-points.ts";
import { storeSpans } from "./store-spans.ts";
import type { TelemetrySource } from "./telemetry.ts";

/**
 * How many spans, records or points of a request were stored, how many were not, and why the first of them were not, or
 * what else is wrong with them.
 * `dropped`: records and points that say nothing of an agent's work.
 */
export type TelemetryReceipt = {
  accepted: number;
  rejected: number;
  dropped: number;
  message: string | null;
};

/**
 * Stores the spans that an agent sent, or what its logs or metrics say of its work. What can't be stored is rejected, the rest is
 * stored; what was sent before is updated. Everything is stored when it resolves.
 *
 * @throws {DomainError} insufficient_scope without `traces:write`; rate_limited if the workspace has no room for more
 *   spans today; what reading the source throws.
 */
export async function ingestTelemetry(ctx: Ctx, source: TelemetrySource): Promise<TelemetryReceipt> {
  requireScope(ctx, "traces:write");
  const agent = requireAgent(ctx);
  const now = ctx.now ?? ctx.services.live.now();
  const settings = await readTraceSettings(ctx, agent.id);
  requireRoom(settings);
  const { capture, dropRules } = settings;
  const { workspaceId } = ctx;
  const batch = await source.read({ capture, dropRules, workspaceId, nowUs: now.getTime() * 1000 });
  if (batch.calls.length > 0) await chargeLoggedCalls(ctx, batch.calls, agent.id);
  if (batch.points.length > 0) await storePoints(ctx, batch.points, agent.id);
  if (batch.spans.length > 0) await storeSpans(ctx, { batch, agentId: agent.id, now });
  await countDropped(ctx, dropRules, batch.droppedByRules);
  const warnings = batch.scores.length > 0 ? await storeScores(ctx, batch.scores) : [];
  const { count: rejected, reasons } = batch.rejected;
  const more = rejected > reasons.length ? ["…"] : [];
  const said = [...reasons, ...more, ...warnings];
  return {
    accepted: batch.count - rejected - batch.dropped,
    rejected,
    dropped: batch.dropped,
    message: said.length === 0 ? null : said.join("; "),
  };
}

/** @returns what is wrong with evaluations that were stored as scores alone. */
async function storeScores(ctx: Ctx, scores: readonly SentScore[]): Promise<string[]> {
  await storeSentScores(ctx, scores);
  return reportEvaluations(ctx, scores);
}

/** @throws {DomainError} rate_limited; quota_exceeded. */
function requireRoom({ spans, quota, secondsLeft, storageBytes, storageQuota }: TraceSettings): void {
  if (storageQuota !== null && storageBytes >= storageQuota) {
    const stored = { limit: storageQuota, used: storageBytes, resetsInSeconds: null };
    throw createQuotaError({ name: "storage_bytes", ...stored });
  }
  if (spans < quota) return;
  const exceeded = { limit: quota, used: spans, resetsInSeconds: secondsLeft };
  throw new DomainError(
    "rate_limited",
    `The workspace accepts ${quota.toLocaleString("en")} new spans a day. More are accepted from 00:00 UTC on.`,
    { retryAfterSeconds: secondsLeft, quota: { name: "spans_per_day", ...exceeded } },
  );
}
