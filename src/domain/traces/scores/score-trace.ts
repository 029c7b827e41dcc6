import { z } from "zod";
import { AnnotatorKind } from "../../../db/generated/enums.ts";
import { sql } from "../../../db/sql.ts";
import type { Ctx, Transaction } from "../../kernel/context.ts";
import { createFieldError, createNotFoundError } from "../../kernel/errors.ts";
import { append } from "../../kernel/events.ts";
import { requireScope, requireUser } from "../../kernel/guard.ts";
import { parseInput, text } from "../../kernel/input.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { spanId, traceId } from "../trace-ids.ts";
import { describeScore } from "./describe-score.ts";
import { saveScore } from "./save-score.ts";
import type { TraceScore } from "./trace-score.ts";

const { min, max } = LIMITS.scoreValue;

const shape = z.object({
  traceId,
  /** Null for the whole trace. */
  spanId: spanId.nullish(),
  name: text(LIMITS.labelLength),
  value: z.number().min(min).max(max).nullish(),
  label: text(LIMITS.labelLength).nullish(),
  comment: text(LIMITS.textLength).nullish(),
  /** Default: human for people, code for agents. */
  annotatorKind: z.enum(AnnotatorKind).nullish(),
});

/**
 * Gives a trace, or one of its spans, a score. The same caller's score of the same name is replaced.
 *
 * @throws {DomainError} insufficient_scope for agents without `traces:write`; forbidden for people without a session;
 *   not_found; validation_failed, also for scores by hand of agents and others of people, and if the trace has too many.
 */
export async function scoreTrace(ctx: Ctx, input: z.input<typeof shape>): Promise<TraceScore> {
  if (ctx.actor.type === "agent") requireScope(ctx, "traces:write");
  else requireUser(ctx);
  const given = parseInput(shape, input);
  const annotatorKind = findAnnotatorKind(ctx, given.annotatorKind ?? null);
  if ((given.value ?? null) === null && (given.label ?? null) === null) {
    throw createFieldError("value", "is required without a label");
  }
  return ctx.transaction(async (tx) => {
    await requireTrace(tx, { traceId: given.traceId, spanId: given.spanId ?? null });
    const { traceId: of, spanId: span = null, name, value = null, label = null, comment = null } = given;
    const score = await saveScore(tx, {
      traceId: of,
      spanId: span,
      name,
      value,
      label,
      comment,
      annotatorKind,
    });
    await requireRoom(tx, score);
    append(tx, describeScore(ctx, "trace.scored", score));
    return score;
  });
}

/** What people say is by hand, and what agents say is not. */
function findAnnotatorKind({ actor }: Ctx, given: AnnotatorKind | null): AnnotatorKind {
  const isAgent = actor.type === "agent";
  if (given !== null && (given === "human") === isAgent) {
    throw createFieldError("annotatorKind", isAgent ? "must be CODE or LLM" : "must be HUMAN");
  }
  return given ?? (isAgent ? "code" : "human");
}

/** Locks the trace, so that its scores are counted one after the other. */
async function requireTrace(
  tx: Transaction,
  { traceId: id, spanId: span }: { traceId: string; spanId: string | null },
): Promise<void> {
  const [found] = await tx.run(LOCK_TRACE, [tx.ctx.workspaceId, id, span ?? ""]);
  if (found === undefined) throw createNotFoundError("trace");
  if (span !== null && !found.hasSpan) throw createNotFoundError("span");
}

async function requireRoom(tx: Transaction, { traceId: id }: TraceScore): Promise<void> {
  const [counted] = await tx.run(COUNT, [tx.ctx.workspaceId, id]);
  if ((counted?.scores ?? 0) > LIMITS.scoresOfTrace) {
    throw createFieldError("traceId", `has ${LIMITS.scoresOfTrace} scores already`);
  }
}

const LOCK_TRACE = sql<{ hasSpan: boolean }>`
SELECT EXISTS (
  SELECT 1 FROM span s WHERE s.workspace_id = t.workspace_id AND s.day = t.day AND s.trace_id = t.id
    AND s.span_id = decode($3, 'hex')) AS "hasSpan"
FROM trace t WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid FOR NO KEY UPDATE OF t`;

const COUNT = sql<{ scores: number }>`
SELECT count(*)::int4 AS scores FROM trace_score WHERE workspace_id = $1::uuid AND trace_id = $2::uuid`;
