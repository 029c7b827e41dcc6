import { z } from "zod";
import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { parseInput, wholeNumber } from "../kernel/input.ts";
import { type SkeletonRow, type TraceSkeleton, selectSkeleton, toSkeleton } from "./skeleton.ts";
import { type TraceUpdate, streamTraceUpdates } from "./stream-trace-updates.ts";

/** Where a trace stands, and its spans that came since the frame before. */
export type TraceSpans = TraceUpdate & {
  /** Null if they are more than {@link MOST_SPANS}, or all: then they are to be read. */
  spans: TraceSkeleton | null;
};

/** The most spans of a frame. */
export const MOST_SPANS = 500;

const shape = z.object({ after: wholeNumber({ min: 1, max: 2_147_483_647 }).nullish() });

/**
 * Streams the spans of a trace that come, or come again, at most twice a second. Nothing is queued for a slow reader:
 * it gets what came since its last frame, as it is then. Without a generation to begin after, the first frame says that
 * all are to be read; what comes during that is in the next one.
 *
 * @param ended ends the stream immediately.
 * @throws {DomainError} insufficient_scope without `traces:read`; validation_failed; not_found.
 */
export async function streamTraceSpans(
  ctx: Ctx,
  { traceId, ...input }: z.input<typeof shape> & { traceId: string },
  ended: AbortSignal,
): Promise<AsyncGenerator<TraceSpans, void>> {
  const { after } = parseInput(shape, input);
  return readFrames(ctx, await streamTraceUpdates(ctx, { traceId }, ended), after ?? null);
}

async function* readFrames(
  ctx: Ctx,
  updates: AsyncGenerator<TraceUpdate, void>,
  after: number | null,
): AsyncGenerator<TraceSpans, void> {
  let told = after;
  for await (const update of updates) {
    // A trace that was deleted begins anew.
    const spans = told === null || told > update.generation ? null : await readChanged(ctx, update, told);
    told = update.generation;
    yield { ...update, spans };
  }
}

/** Reads the spans that came after a generation, also those that came since the update. */
async function readChanged(ctx: Ctx, { id }: TraceUpdate, after: number): Promise<TraceSkeleton | null> {
  const [row] = await ctx.read(CHANGED, [ctx.workspaceId, id, after]);
  return row === undefined || row.columns.id.length > MOST_SPANS ? null : toSkeleton(row, MOST_SPANS);
}

/** All spans of the first generation are those that were read before: the index doesn't have them. */
const CHANGED = sql<SkeletonRow>`${selectSkeleton(
  `s.generation > 1 AND s.generation > $3::int ORDER BY s.generation LIMIT ${MOST_SPANS + 1}`,
)} WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid`;
