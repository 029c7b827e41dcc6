import { v7 as uuidv7 } from "uuid";
import { NOW, sql } from "../../../db/sql.ts";
import { createActorRecord } from "../../kernel/actor.ts";
import type { Ctx, Transaction } from "../../kernel/context.ts";
import { type GivenScore, SCORE_COLUMNS, type TraceScore } from "./trace-score.ts";

/** Saves a score of a locked trace. The same caller's score of the same name is replaced. */
export async function saveScore(
  { run, ctx }: Transaction,
  { traceId, spanId, name, value, label, comment, annotatorKind }: GivenScore,
): Promise<TraceScore> {
  const [score] = await run(SAVE, [
    ...[ctx.workspaceId, uuidv7(), traceId, spanId ?? "", name, value, label, comment, annotatorKind],
    ...[getActorId(ctx), JSON.stringify(createActorRecord(ctx.actor))],
  ]);
  if (score === undefined) throw new Error("a score was saved without a result");
  return score;
}

function getActorId({ actor }: Ctx): string {
  if (actor.type === "system") throw new Error("the system gives no scores");
  return actor.id;
}

const SAVE = sql<TraceScore>`
INSERT INTO trace_score AS s (workspace_id, id, trace_id, span_id, name, value, label, comment, annotator_kind, actor_id,
  given_by, created_at, updated_at)
VALUES ($1::uuid, $2::uuid, $3::uuid, decode($4, 'hex'), $5, $6::float8, $7, $8, $9::annotator_kind, $10::uuid, $11::jsonb,
  date_trunc('milliseconds', ${NOW}), date_trunc('milliseconds', ${NOW}))
ON CONFLICT (workspace_id, trace_id, span_id, name, actor_id) DO UPDATE SET value = EXCLUDED.value,
  label = EXCLUDED.label, comment = EXCLUDED.comment, annotator_kind = EXCLUDED.annotator_kind,
  given_by = EXCLUDED.given_by, generation = s.generation + 1, updated_at = EXCLUDED.updated_at
RETURNING ${SCORE_COLUMNS}`;
