import { sql } from "../../../db/sql.ts";
import type { Ctx } from "../../kernel/context.ts";
import { requireScope } from "../../kernel/guard.ts";
import { countReadBytes } from "../../kernel/read-bytes.ts";
import { SCORE_COLUMNS, type TraceScore } from "./trace-score.ts";

/** About how much is read of a score besides its comment. */
const SCORE_BYTES = 500;

/**
 * Reads the scores of some traces, by their UUIDs, oldest first.
 *
 * @throws {DomainError} insufficient_scope without `traces:read`.
 */
export async function readScores(ctx: Ctx, traceIds: readonly string[]): Promise<Map<string, TraceScore[]>> {
  requireScope(ctx, "traces:read");
  const scores = new Map<string, TraceScore[]>(traceIds.map((id) => [id, []]));
  const rows = await ctx.read(SCORES, [ctx.workspaceId, traceIds]);
  countReadBytes(
    ctx,
    rows.reduce((sum, { comment }) => sum + SCORE_BYTES + (comment?.length ?? 0), 0),
  );
  for (const score of rows) scores.get(score.traceId)?.push(score);
  return scores;
}

const SCORES = sql<TraceScore>`
SELECT ${SCORE_COLUMNS} FROM trace_score s WHERE s.workspace_id = $1::uuid AND s.trace_id = ANY($2::uuid[])
ORDER BY s.created_at, s.id`;
