import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { answerHashed } from "../shared/conditional.ts";
import { EVAL_RESULT_STATUSES } from "./eval-result-shape.ts";
import { LATEST_BASELINE_VALUE } from "./eval-run-input.ts";
import { type RestApp, type RestServices, createRestApp, getCtx, guardRoute } from "../shared/rest-app.ts";
import { idParameter, pageParameters } from "../shared/parameters.ts";
import { jsonResponse, bearer, notModified, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import { toWireEnum, nodeId, uuid } from "../shared/shapes.ts";

const status = z.enum(EVAL_RESULT_STATUSES).nullable();

const change = z
  .strictObject({
    item_key: z.string(),
    from: status.openapi({ description: "Status in the baseline, or null if the item isn't in it." }),
    to: status.openapi({ description: "Status in the run, or null if the item isn't in it." }),
    trace_id: z.string().nullable(),
    baseline_trace_id: z.string().nullable(),
  })
  .openapi("EvalChange");

const delta = z
  .strictObject({
    name: z.string(),
    from: z.number().nullable().openapi({ description: "Mean in the baseline." }),
    to: z.number().nullable().openapi({ description: "Mean in the run." }),
    delta: z.number().nullable(),
  })
  .openapi("EvalScoreDelta");

const comparison = z
  .strictObject({
    eval_run_id: uuid,
    baseline_run_id: uuid,
    counts: z.strictObject({
      regressions: z.int(),
      improvements: z.int(),
      added: z.int(),
      removed: z.int(),
      unchanged: z.int(),
    }),
    regressions: z
      .array(change)
      .openapi({ description: "Items that passed in the baseline and failed or errored in the run." }),
    improvements: z
      .array(change)
      .openapi({ description: "Items that failed or errored in the baseline and passed in the run." }),
    added: z.array(change).openapi({ description: "Items that are not in the baseline." }),
    removed: z.array(change).openapi({ description: "Items that are not in the run." }),
    score_deltas: z.array(delta),
  })
  .openapi("EvalComparison");

const route = createRoute({
  method: "get",
  path: "/eval_runs/{id}/comparison",
  tags: ["Evaluation runs"],
  summary: "Compare a run with its baseline, or with another run",
  description: "The lists are sorted by item key and may be truncated. `counts` covers all items.",
  security: bearer("eval_runs:read"),
  request: {
    params: idParameter,
    query: z.strictObject({
      baseline_run_id: z
        .union([z.literal(LATEST_BASELINE_VALUE), uuid], `must be a UUID or ${LATEST_BASELINE_VALUE}`)
        .optional()
        .openapi({
          description: `Default: the run's own baseline. \`${LATEST_BASELINE_VALUE}\`: the current baseline of its suite.`,
        }),
      ...pageParameters({ min: 0, max: 100, default: 50 }, LIMITS.offset),
    }),
  },
  responses: {
    200: jsonResponse("The comparison", z.strictObject({ comparison })),
    304: notModified,
    ...problems("invalid_parameter", 401, 403, 404),
  },
});

const EvalChangeFields = graphql(`
  fragment EvalChangeFields on EvalChange {
    item_key: itemKey
    from
    to
    trace_id: traceId
    baseline_trace_id: baselineTraceId
  }
`);

const CompareEvalRuns = graphql(
  `
    query CompareEvalRuns($runId: ID!, $baselineId: ID, $first: Int!, $offset: Int!) {
      compared: evalComparison(runId: $runId, baselineId: $baselineId, first: $first, offset: $offset) {
        run {
          id: uuid
        }
        baseline {
          id: uuid
        }
        counts {
          regressions
          improvements
          added
          removed
          unchanged
        }
        regressions {
          ...EvalChangeFields
        }
        improvements {
          ...EvalChangeFields
        }
        added {
          ...EvalChangeFields
        }
        removed {
          ...EvalChangeFields
        }
        score_deltas: scoreDeltas {
          name
          from
          to
          delta
        }
      }
    }
  `,
  [EvalChangeFields],
);

/** The route to compare two runs. */
export function evalComparisonRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRoute(services, { scope: "eval_runs:read" });
  app.openapi({ ...route, middleware }, async (c) => {
    const { baseline_run_id: baseline, limit: first, offset } = c.req.valid("query");
    const baselineId =
      baseline === LATEST_BASELINE_VALUE ? LATEST_BASELINE_VALUE : nodeId("EvalRun", baseline);
    const runId = toGlobalId("EvalRun", c.req.valid("param").id.toLowerCase());
    const asked = { runId, baselineId, first, offset };
    const { compared } = await execute(getCtx(c), CompareEvalRuns, asked).catch(refuseBaseline);
    return answerHashed(c, { comparison: comparisonJson(compared) });
  });
  return app;
}

/** Reports a missing baseline as an error of the query. */
function refuseBaseline(error: unknown): never {
  if (!(error instanceof DomainError) || error.code !== "validation_failed") throw error;
  const field = "baseline_run_id";
  const detail = error.details.errors?.[0]?.detail ?? error.message;
  throw new DomainError("invalid_parameter", `${field}: ${detail}`, { field, errors: [{ field, detail }] });
}

function comparisonJson({ run, baseline, ...compared }: ResultOf<typeof CompareEvalRuns>["compared"]) {
  const { regressions, improvements, added, removed } = compared;
  return {
    eval_run_id: run.id,
    baseline_run_id: baseline.id,
    ...compared,
    regressions: regressions.map(changeJson),
    improvements: improvements.map(changeJson),
    added: added.map(changeJson),
    removed: removed.map(changeJson),
  };
}

function changeJson({ from, to, ...change }: ResultOf<typeof EvalChangeFields>) {
  return { ...change, from: from && toWireEnum(from), to: to && toWireEnum(to) };
}
