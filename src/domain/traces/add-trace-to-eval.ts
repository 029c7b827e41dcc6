import { z } from "zod";
import { sql } from "../../db/sql.ts";
import type { Trace } from "../../db/generated/client.ts";
import { EvalResultStatus } from "../../db/generated/enums.ts";
import { addEvalResults } from "../eval-runs/add-eval-results.ts";
import type { AddedEvalResults } from "../eval-runs/put-eval-results.ts";
import { resultJson } from "../eval-runs/eval-result-input.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { jsonProblem, parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { countReadBytes } from "../kernel/read-bytes.ts";
import { auditContentRead } from "./audit-content-read.ts";
import { readTrace } from "./read-trace.ts";
import { readScores } from "./scores/read-scores.ts";
import type { TraceScore } from "./scores/trace-score.ts";
import { toTraceId, traceId } from "./trace-ids.ts";

const shape = z.object({
  traceId,
  runId: uuid,
  /** Default: the trace's id. */
  itemKey: text(LIMITS.itemKeyLength).nullish(),
  status: z.enum(EvalResultStatus),
  /** What the answer should have been, as JSON. */
  expected: resultJson.optional(),
});

/**
 * Adds a trace to an evaluation run as the result of an item: what its root was given and answered (or its first span
 * that was given something, and the last that answered), its time, its cost if all of it is known, and its scores. It
 * replaces the item's earlier result.
 *
 * @throws {DomainError} insufficient_scope without `eval_runs:write` and `traces:read`; not_found for the trace or the
 *   run; validation_failed, also if what was said is too large for a result; invalid_state if the run has finished.
 */
export async function addTraceToEval(ctx: Ctx, input: z.input<typeof shape>): Promise<AddedEvalResults> {
  requireScope(ctx, "eval_runs:write");
  const { traceId: id, runId, itemKey, status, expected } = parseInput(shape, input);
  const trace = await readTrace(ctx, { traceId: toTraceId(id) });
  const said = await readSaid(ctx, id);
  const scores = (await readScores(ctx, [id])).get(id) ?? [];
  const result = {
    itemKey: itemKey ?? toTraceId(id),
    status,
    input: said.input ?? undefined,
    output: said.output ?? undefined,
    ...(expected !== undefined && expected !== null && { expected }),
    scores: toEvalScores(scores),
    latencyMs: trace.endedAt === null ? null : toMilliseconds(trace.startedAt, trace.endedAt),
    costUsd: findCost(trace),
    traceId: toTraceId(id),
    error: status === "errored" ? (said.problem?.slice(0, LIMITS.textLength) ?? null) : null,
  };
  return addEvalResults(ctx, { runId, results: [result] });
}

/** Null if some calls have no price: the sum would look like the whole. */
function findCost({ costUsd, unpricedCalls, llmCount }: Trace): number | null {
  return unpricedCalls > 0 || llmCount === 0 ? null : costUsd.toNumber();
}

const MOST_MILLISECONDS = 2_147_483_647;

function toMilliseconds(from: Date, to: Date): number {
  return Math.min(Math.max(0, to.getTime() - from.getTime()), MOST_MILLISECONDS);
}

/** Those of the whole trace that are numbers: of a name, what was said last. */
function toEvalScores(scores: readonly TraceScore[]) {
  const byName = new Map<string, TraceScore & { value: number }>();
  for (const score of scores) {
    if (score.spanId === null && score.value !== null)
      byName.set(score.name, { ...score, value: score.value });
  }
  return [...byName.values()]
    .slice(0, LIMITS.scores)
    .map(({ name, value, label, comment, annotatorKind }) => ({
      name,
      value,
      label,
      explanation: comment,
      annotatorKind: ({ human: "HUMAN", code: "CODE", llm: "LLM" } as const)[annotatorKind],
    }));
}

/** What was said to and by an agent, and what went wrong. */
type Said = { input: unknown; output: unknown; problem: string | null };

/** Reads it from the content of spans, which a person's reading of is audited. */
async function readSaid(ctx: Ctx, id: string): Promise<Said> {
  const [found] = await ctx.read(SAID, [ctx.workspaceId, id]);
  if (found === undefined) return { input: null, output: null, problem: null };
  const { size, ...said } = found;
  countReadBytes(ctx, size);
  requireResultSize("input", said.input);
  requireResultSize("output", said.output);
  if (said.input !== null || said.output !== null) {
    const changes = { eval: true };
    await auditContentRead(ctx, { action: "trace.content_read", targetType: "trace", targetId: id, changes });
  }
  return said;
}

function requireResultSize(what: "input" | "output", value: unknown): void {
  const problem = jsonProblem(value, LIMITS.outputBytes);
  if (problem !== null)
    throw createFieldError("traceId", `is of a trace whose ${what} can't be kept: it ${problem}`);
}

/** SQL for `column` of the content of the root `t.root_span_id`; if it has none, of the first span in an order. */
function pickContent(column: "input" | "output", order: string): string {
  return `LEFT JOIN LATERAL (
  SELECT c.${column} FROM span_content c WHERE c.workspace_id = t.workspace_id AND c.day = t.day AND c.trace_id = t.id
    AND c.span_id = (
      SELECT s.span_id FROM span s JOIN span_content k
        ON k.workspace_id = s.workspace_id AND k.day = s.day AND k.trace_id = s.trace_id AND k.span_id = s.span_id
      WHERE s.workspace_id = t.workspace_id AND s.day = t.day AND s.trace_id = t.id AND k.${column} IS NOT NULL
      ORDER BY s.span_id IS DISTINCT FROM t.root_span_id, ${order}, s.span_id LIMIT 1
    )
) ${column} ON true`;
}

const SAID = sql<Said & { size: number }>`
SELECT input.input, output.output, (
    SELECT s.status_message FROM span s
    WHERE s.workspace_id = t.workspace_id AND s.day = t.day AND s.trace_id = t.id AND s.status = 'error'
      AND s.status_message IS NOT NULL
    ORDER BY s.started_at, s.span_id LIMIT 1
  ) AS problem, COALESCE(pg_column_size(input.input), 0) + COALESCE(pg_column_size(output.output), 0) AS size
FROM trace t
${pickContent("input", "s.started_at")}
${pickContent("output", "s.ended_at DESC NULLS LAST")}
WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid`;
