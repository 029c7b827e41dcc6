import { createRoute, z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { unchanged, validators } from "./conditional.ts";
import { type RestApp, type RestServices, createRestApp, ctxOf, guarded } from "./face.ts";
import { integer, linkOf, pagination, paginationOf } from "./parameters.ts";
import { answer, bearerOrSession, notModified, problems } from "./responses.ts";
import { actor, anyJson, dateTime, lower, uuid } from "./shapes.ts";

const MAX_OFFSET = 10_000;

const evalRun = z
  .strictObject({
    id: uuid,
    suite: z.string(),
    name: z.string(),
    agent_id: uuid.nullable(),
    agent_version: z.string().nullable(),
    dataset: anyJson,
    status: z.enum(["queued", "running", "completed", "failed", "canceled"]),
    result_counts: z.strictObject({
      total: z.int(),
      passed: z.int(),
      failed: z.int(),
      errored: z.int(),
    }),
    score_summaries: anyJson,
    baseline_run_id: uuid.nullable(),
    gate: anyJson,
    verdict: z.enum(["passed", "failed", "none"]),
    verdict_reasons: z.array(z.string()),
    is_baseline: z.boolean(),
    source: anyJson,
    cost_usd: z.number().nullable(),
    metadata: anyJson,
    created_by: actor,
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
    started_at: dateTime.nullable(),
    finished_at: dateTime.nullable(),
  })
  .openapi("EvalRun");

const routes = {
  list: createRoute({
    method: "get",
    path: "/operator/eval_runs",
    tags: ["Evaluation runs"],
    summary: "List evaluation runs, newest first",
    security: bearerOrSession("eval_runs:read"),
    request: {
      query: z.object({
        limit: integer({ min: 0, max: 100, default: 50 }),
        offset: integer({ min: 0, max: MAX_OFFSET, default: 0 }),
      }),
    },
    responses: {
      200: answer("A page of runs", z.strictObject({ eval_runs: z.array(evalRun), pagination })),
      304: notModified,
      ...problems(400, 401, 403),
    },
  }),
};

const EvalRunFields = graphql(`
  fragment EvalRunFields on EvalRun {
    id: uuid
    suite
    name
    agent_id: agentUuid
    agent_version: agentVersion
    dataset
    status
    result_counts: resultCounts
    score_summaries: scoreSummaries
    baseline_run_id: baselineRunUuid
    gate
    verdict
    verdict_reasons: verdictReasons
    is_baseline: baseline
    source
    cost_usd: costUsd
    metadata
    created_by: createdBy {
      type
      id: uuid
      name
    }
    generation
    created_at: createdAt
    updated_at: updatedAt
    started_at: startedAt
    finished_at: finishedAt
  }
`);

const ListEvalRuns = graphql(
  `
    query ListEvalRuns($limit: Int!, $offset: Int!) {
      evalRuns(first: $limit, offset: $offset) {
        totalCount
        version
        nodes {
          ...EvalRunFields
        }
      }
    }
  `,
  [EvalRunFields],
);

/** The routes of /api/v1/operator/eval_runs. */
export function evalRunRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  app.openapi(
    { ...routes.list, middleware: guarded(services, { scope: "eval_runs:read", session: true }) },
    async (c) => {
      const same = await unchanged(c, services.build, "EVAL_RUNS");
      if (same !== null) return same;
      const { limit, offset } = c.req.valid("query");
      const { evalRuns } = await execute(ctxOf(c), ListEvalRuns, { limit, offset });
      const count = evalRuns.nodes.length;
      const total = evalRuns.totalCount;
      const place = paginationOf({ limit, offset, count, total }, MAX_OFFSET);
      const headers = { ...validators(c, services.build, evalRuns.version), link: linkOf(c.req.url, place) };
      return c.json({ eval_runs: evalRuns.nodes.map(evalRunJson), pagination: place }, 200, headers);
    },
  );
  return app;
}

function evalRunJson(row: ResultOf<typeof EvalRunFields>) {
  const { created_by: by, status, verdict } = row;
  return {
    ...row,
    status: lower(status),
    verdict: lower(verdict),
    created_by: { ...by, type: lower(by.type) },
  };
}
