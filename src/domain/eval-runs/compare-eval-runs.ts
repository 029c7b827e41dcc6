import { z } from "zod";
import type { EvalRun } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError, createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { LATEST_BASELINE } from "./create-eval-run.ts";
import { COUNT_CHANGES, type EvalChangeCounts } from "./eval-changes.ts";
import { type EvalScoreSummary, getTotals } from "./eval-totals.ts";

const shape = z.object({
  runId: uuid,
  baselineId: z.union([z.literal(LATEST_BASELINE), uuid]).nullish(),
  first: wholeNumber(LIMITS.pageSize).nullish(),
  offset: wholeNumber({ min: 0, max: LIMITS.offset }).nullish(),
});

/** The change of a score's mean. A value is null if its run does not have the score. */
export type ScoreDelta = { name: string; from: number | null; to: number | null; delta: number | null };

/** Two runs to compare, and the page of each list of items. */
export type EvalComparison = {
  run: EvalRun;
  baseline: EvalRun;
  counts: EvalChangeCounts;
  scoreDeltas: ScoreDelta[];
  slice: { limit: number; offset: number };
};

/**
 * Compares a run with another one, item by item: by default its own baseline; for `latest_baseline` the
 * suite's current one.
 *
 * @throws {DomainError} insufficient_scope without `eval_runs:read`; not_found; validation_failed if there
 *   is no baseline.
 */
export async function compareEvalRuns(ctx: Ctx, input: z.input<typeof shape>): Promise<EvalComparison> {
  requireScope(ctx, "eval_runs:read");
  const { runId, baselineId, first, offset } = parseInput(shape, input);
  const run = await find(ctx, runId);
  const baseline = await findBaseline(ctx, run, baselineId);
  return {
    run,
    baseline,
    counts: await countChanges(ctx, run, baseline),
    scoreDeltas: scoreDeltas(getTotals(baseline).scoreSummaries, getTotals(run).scoreSummaries),
    slice: { limit: first ?? LIMITS.pageSize.default, offset: offset ?? 0 },
  };
}

async function find(ctx: Ctx, id: string): Promise<EvalRun> {
  const run = await ctx.db.evalRun.findFirst({ where: { id } });
  if (run === null) throw createNotFoundError("evaluation run");
  return run;
}

async function findBaseline(ctx: Ctx, run: EvalRun, asked: string | null | undefined): Promise<EvalRun> {
  if (asked === LATEST_BASELINE) return findLatestBaseline(ctx, run.suite);
  const id = asked ?? run.baselineRunId;
  if (id === null)
    throw createFieldError("baselineId", "is required: the run was created without a baseline");
  return find(ctx, id);
}

async function findLatestBaseline(ctx: Ctx, suite: string): Promise<EvalRun> {
  const run = await ctx.db.evalRun.findFirst({ where: { suite, baseline: true } });
  if (run === null)
    throw createFieldError("baselineId", `can't be ${LATEST_BASELINE}: the suite has no baseline`);
  return run;
}

async function countChanges(ctx: Ctx, run: EvalRun, baseline: EvalRun): Promise<EvalChangeCounts> {
  const values = [ctx.workspaceId, run.id, baseline.id];
  const [counts] = await ctx.read(COUNT_CHANGES, values);
  if (counts === undefined) throw new Error("an aggregate returned no row");
  return counts;
}

function scoreDeltas(before: EvalScoreSummary[], after: EvalScoreSummary[]): ScoreDelta[] {
  const names = new Set([...before, ...after].map(({ name }) => name));
  return [...names].toSorted().map((name) => {
    const [from, to] = [before, after].map((all) => all.find((one) => one.name === name)?.mean ?? null);
    const delta = typeof from === "number" && typeof to === "number" ? to - from : null;
    return { name, from: from ?? null, to: to ?? null, delta };
  });
}
