import { z } from "@hono/zod-openapi";
import { fewMembers } from "../../../src/domain/kernel/few-members.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import {
  omitUndefined,
  jsonObject,
  nodeId,
  numberWithin,
  share,
  text,
  uuid,
  wholeNumber,
} from "../shared/shapes.ts";

/** Refers to the suite's current baseline. */
export const LATEST_BASELINE_VALUE = "latest_baseline";

const minScores = z.record(text(LIMITS.labelLength), numberWithin(LIMITS.scoreValue));
const { min: minimum, max: maximum } = LIMITS.scoreValue;

const gate = z
  .strictObject({
    min_pass_rate: share
      .nullish()
      .openapi({ description: "Minimum share of passed results, not counting skipped ones." }),
    max_regressions: wholeNumber({ min: 0, max: LIMITS.evalItems }).nullish().openapi({
      description: "Maximum number of items that passed in the baseline and don't pass in this run.",
    }),
    min_scores: fewMembers<z.input<typeof minScores>>(LIMITS.scores, "scores")
      .pipe(minScores)
      .nullish()
      .openapi({
        type: ["object", "null"],
        additionalProperties: { type: "number", minimum, maximum },
        maxProperties: LIMITS.scores,
        description: "Minimum mean of a score, by its name.",
      }),
  })
  .openapi("EvalGate", { description: "Without rules there is no verdict." });

/** The body to create a run. */
export const newEvalRun = z
  .strictObject({
    suite: text(LIMITS.nameLength).openapi({ description: "All runs of a suite share one baseline." }),
    name: text(LIMITS.titleLength),
    agent_id: uuid.nullish().openapi({ description: "The evaluated agent." }),
    agent_version: text(LIMITS.nameLength).nullish(),
    dataset: z
      .strictObject({ name: text(LIMITS.nameLength), version: text(LIMITS.nameLength).nullish() })
      .nullish(),
    baseline_run_id: z
      .union([z.literal(LATEST_BASELINE_VALUE), uuid], `must be a UUID or ${LATEST_BASELINE_VALUE}`)
      .nullish()
      .openapi({
        description: `A completed run of the suite, or \`${LATEST_BASELINE_VALUE}\` for the suite's current one, if any.`,
      }),
    gate: gate.nullish(),
    source: z
      .strictObject({
        commit: text(LIMITS.nameLength).nullish(),
        branch: text(LIMITS.titleLength).nullish(),
        ci_url: text(LIMITS.textLength, 0)
          // JSON Schema patterns have no flags, so case-insensitivity is spelled out.
          .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+$/, "must be an http or https URL")
          .nullish(),
      })
      .nullish(),
    metadata: jsonObject(LIMITS.metadataBytes).optional(),
  })
  .openapi("NewEvalRun");

/** Converts the body to the GraphQL input. */
export function evalRunInput(body: z.output<typeof newEvalRun>) {
  const { baseline_run_id: baseline, gate: rules, source } = body;
  return omitUndefined({
    suite: body.suite,
    name: body.name,
    agentId: nodeId("Agent", body.agent_id),
    agentVersion: body.agent_version,
    dataset: body.dataset && omitUndefined(body.dataset),
    baselineRunId: baseline === LATEST_BASELINE_VALUE ? LATEST_BASELINE_VALUE : nodeId("EvalRun", baseline),
    gate:
      rules &&
      omitUndefined({
        minPassRate: rules.min_pass_rate,
        maxRegressions: rules.max_regressions,
        minScores: rules.min_scores,
      }),
    source: source && omitUndefined({ commit: source.commit, branch: source.branch, ciUrl: source.ci_url }),
    metadata: body.metadata,
  });
}
