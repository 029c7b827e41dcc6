import { z } from "zod";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createFieldError } from "../../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { createTool } from "../tool.ts";
import { anyJson, omitUndefined, text, uuid, wholeNumber } from "./shapes.ts";

const STATUSES = { passed: "PASSED", failed: "FAILED", errored: "ERRORED", skipped: "SKIPPED" } as const;
const VERDICTS = { PASSED: "passed", FAILED: "failed", NONE: "none" } as const;

const CreateRun = graphql(`
  mutation CreateReportedRun($input: CreateEvalRunInput!) {
    made: createEvalRun(input: $input) {
      evalRun {
        id
      }
    }
  }
`);

const ReportResults = graphql(`
  mutation ReportResults($id: ID!, $results: [EvalResultInput!]!, $complete: Boolean!) {
    added: addEvalResults(input: { runId: $id, results: $results }) {
      accepted
      updated
      evalRun {
        run_id: uuid
        verdict
        verdict_reasons: verdictReasons
      }
    }
    ended: completeEvalRun(input: { id: $id }) @include(if: $complete) {
      evalRun {
        run_id: uuid
        verdict
        verdict_reasons: verdictReasons
      }
    }
  }
`);

const result = z.strictObject({
  item_key: text(LIMITS.itemKeyLength).describe("Identifies the item in every run of the suite."),
  status: z.enum(["passed", "failed", "errored", "skipped"]),
  input: anyJson.optional(),
  expected: anyJson.optional(),
  output: anyJson.optional(),
  scores: z
    .array(
      z.strictObject({
        name: text(LIMITS.labelLength),
        value: z.number().min(LIMITS.scoreValue.min).max(LIMITS.scoreValue.max),
      }),
    )
    .max(LIMITS.scores)
    .optional(),
  latency_ms: wholeNumber({ min: 0, max: LIMITS.wholeNumber }).optional(),
  cost_usd: z.number().min(LIMITS.resultCostUsd.min).max(LIMITS.resultCostUsd.max).optional(),
  error: text(LIMITS.textLength).optional(),
});

const input = z.strictObject({
  run_id: uuid.optional().describe("The run to add to. Without it a new one is made, of suite and name."),
  suite: text(LIMITS.nameLength).optional(),
  name: text(LIMITS.titleLength).optional(),
  results: z.array(result).min(LIMITS.evalBatch.min).max(LIMITS.evalBatch.max),
  complete: z
    .boolean()
    .default(false)
    .describe("Whether these are the last results, so that the gate decides."),
});

export const evalReport = createTool({
  name: "eval_report",
  title: "Report evaluation results",
  description:
    "Adds results to an evaluation run. A result replaces an earlier one of the same item. Send further results with the run_id of the first answer, and complete with the last.",
  scopes: ["eval_runs:write"],
  effect: "writes",
  input,
  output: z.object({
    run_id: uuid,
    accepted: z.int(),
    updated: z.int().describe("How many replaced an earlier result."),
    verdict: z.enum(VERDICTS),
    verdict_reasons: z.array(z.string()),
  }),
  run: async ({ ctx }, given) => {
    const { results, complete } = given;
    const id =
      given.run_id === undefined
        ? await createRun(ctx, given)
        : toGlobalId("EvalRun", given.run_id.toLowerCase());
    const { added, ended } = await execute(ctx, ReportResults, {
      id,
      results: results.map(toResult),
      complete,
    });
    const { verdict, ...run } = (ended ?? added).evalRun;
    return { ...run, verdict: VERDICTS[verdict], accepted: added.accepted, updated: added.updated };
  },
});

/** @throws {DomainError} validation_failed without suite and name. */
async function createRun(ctx: Ctx, { suite, name }: z.output<typeof input>): Promise<string> {
  if (suite === undefined) throw createFieldError("suite", "is required without run_id");
  if (name === undefined) throw createFieldError("name", "is required without run_id");
  const { made } = await execute(ctx, CreateRun, { input: { suite, name } });
  return made.evalRun.id;
}

function toResult({
  item_key: itemKey,
  status,
  latency_ms: latencyMs,
  cost_usd: costUsd,
  ...rest
}: z.output<typeof result>) {
  return omitUndefined({ ...rest, itemKey, latencyMs, costUsd, status: STATUSES[status] });
}
