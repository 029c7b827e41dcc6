import { sql } from "../../../db/sql.ts";
import type { Ctx } from "../../kernel/context.ts";
import { append } from "../../kernel/events.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { describeScore } from "./describe-score.ts";
import { saveScore } from "./save-score.ts";
import type { GivenScore } from "./trace-score.ts";

/** Stores scores that an agent's logs give to traces. Those of a trace that has too many are left out. */
export async function storeLoggedScores(ctx: Ctx, scores: readonly GivenScore[]): Promise<void> {
  await ctx.transaction(async (tx) => {
    const ids = [...new Set(scores.map(({ traceId }) => traceId))];
    const locked = await tx.run(LOCK, [ctx.workspaceId, ids]);
    const room = new Map(locked.map(({ id, scores: count }) => [id, LIMITS.scoresOfTrace - count]));
    for (const score of scores) {
      const left = room.get(score.traceId) ?? 0;
      if (left <= 0) continue;
      const saved = await saveScore(tx, score);
      if (saved.generation === 1) room.set(score.traceId, left - 1);
      append(tx, describeScore(ctx, "trace.scored", saved));
    }
  });
}

const LOCK = sql<{ id: string; scores: number }>`
SELECT t.id, (SELECT count(*)::int4 FROM trace_score s WHERE s.workspace_id = t.workspace_id AND s.trace_id = t.id) AS scores
FROM trace t WHERE t.workspace_id = $1::uuid AND t.id = ANY($2::uuid[]) ORDER BY t.id FOR NO KEY UPDATE OF t`;
