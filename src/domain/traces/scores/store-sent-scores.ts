import { sql } from "../../../db/sql.ts";
import type { Ctx, Transaction } from "../../kernel/context.ts";
import { append } from "../../kernel/events.ts";
import { requireAgent } from "../../kernel/guard.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { describeScore } from "./describe-score.ts";
import { saveScore } from "./save-score.ts";
import { type GivenScore, SCORE_COLUMNS, type TraceScore } from "./trace-score.ts";

/**
 * Stores scores that an agent's telemetry gives to traces. Those of a trace that has too many are left out, and what is
 * sent again changes nothing.
 */
export async function storeSentScores(ctx: Ctx, scores: readonly GivenScore[]): Promise<void> {
  await ctx.transaction(async (tx) => {
    const ids = [...new Set(scores.map(({ traceId }) => traceId))];
    const locked = await tx.run(LOCK, [ctx.workspaceId, ids]);
    const room = new Map(locked.map(({ id, scores: count }) => [id, LIMITS.scoresOfTrace - count]));
    const known = await readKnown(tx, ids);
    for (const score of scores) {
      const left = room.get(score.traceId) ?? 0;
      if (left <= 0 || known.get(toKey(score)) === toText(score)) continue;
      const saved = await saveScore(tx, score);
      known.set(toKey(saved), toText(saved));
      if (saved.generation === 1) room.set(score.traceId, left - 1);
      append(tx, describeScore(ctx, "trace.scored", saved));
    }
  });
}

/** The agent's scores of some traces. */
async function readKnown({ ctx, run }: Transaction, ids: readonly string[]): Promise<Map<string, string>> {
  const known = await run(KNOWN, [ctx.workspaceId, ids, requireAgent(ctx).id]);
  return new Map(known.map((score) => [toKey(score), toText(score)]));
}

function toKey({ traceId, spanId, name }: GivenScore): string {
  return `${traceId} ${spanId ?? ""} ${name}`;
}

function toText({ value, label, comment, annotatorKind }: GivenScore): string {
  return JSON.stringify([value, label, comment, annotatorKind]);
}

const LOCK = sql<{ id: string; scores: number }>`
SELECT t.id, (SELECT count(*)::int4 FROM trace_score s WHERE s.workspace_id = t.workspace_id AND s.trace_id = t.id) AS scores
FROM trace t WHERE t.workspace_id = $1::uuid AND t.id = ANY($2::uuid[]) ORDER BY t.id FOR NO KEY UPDATE OF t`;

const KNOWN = sql<TraceScore>`
SELECT ${SCORE_COLUMNS} FROM trace_score s
WHERE s.workspace_id = $1::uuid AND s.trace_id = ANY($2::uuid[]) AND s.actor_id = $3::uuid`;
