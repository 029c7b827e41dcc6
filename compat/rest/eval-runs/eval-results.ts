import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { answerHashed } from "../shared/conditional.ts";
import {
  EVAL_RESULT_STATUSES,
  EvalResultFields,
  evalResult,
  evalResultInput,
  evalResultJson,
  newEvalResult,
} from "./eval-result-shape.ts";
import { resultCounts } from "./eval-run-shape.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import {
  idParameter,
  buildLinkHeader,
  pageParameters,
  pagination,
  toPagination,
} from "../shared/parameters.ts";
import { jsonResponse, bearer, notModified, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import { createBody, omitUndefined, toGraphqlEnum } from "../shared/shapes.ts";

const batch = z
  .strictObject({ results: z.array(newEvalResult).min(LIMITS.evalBatch.min).max(LIMITS.evalBatch.max) })
  .openapi("EvalResultBatch", { description: "At most one result per item." });

const tags = ["Evaluation runs"];

const routes = {
  add: createRoute({
    method: "post",
    path: "/eval_runs/{id}/results",
    tags,
    summary: "Add results to a run that has not finished",
    description: "A result replaces an earlier one of the same item. Repeating the request changes nothing.",
    security: bearer("eval_runs:write"),
    request: { params: idParameter, ...createBody(batch) },
    responses: {
      200: jsonResponse(
        "The run's totals",
        z.strictObject({
          accepted: z.int().openapi({ description: "Number of results in the batch." }),
          updated: z.int().openapi({ description: "Number of results that replaced an earlier one." }),
          result_counts: resultCounts,
        }),
      ),
      ...problems(400, 401, 403, 404, "invalid_state", 413, 415, 422),
    },
  }),
  list: createRoute({
    method: "get",
    path: "/eval_runs/{id}/results",
    tags,
    summary: "List a run's results by item key",
    security: bearer("eval_runs:read"),
    request: {
      params: idParameter,
      query: z.strictObject({
        status: z
          .enum(EVAL_RESULT_STATUSES)
          .optional()
          .openapi({ description: "Only results with this status." }),
        ...pageParameters({ min: 0, max: 100, default: 50 }, LIMITS.offset),
      }),
    },
    responses: {
      200: jsonResponse(
        "A page of results",
        z.strictObject({ results: z.array(evalResult), count: z.int(), pagination }),
      ),
      304: notModified,
      ...problems("invalid_parameter", 401, 403, 404),
    },
  }),
};

const AddEvalResults = graphql(`
  mutation AddEvalResults($input: AddEvalResultsInput!) {
    added: addEvalResults(input: $input) {
      accepted
      updated
      evalRun {
        result_counts: resultCounts
      }
    }
  }
`);

const ListEvalResults = graphql(
  `
    query ListEvalResults($id: ID!, $limit: Int!, $offset: Int!, $filter: EvalResultFilter!) {
      evalRun(id: $id) {
        results(first: $limit, offset: $offset, filter: $filter) {
          totalCount
          pageInfo {
            hasNextPage
          }
          nodes {
            ...EvalResultFields
          }
        }
      }
    }
  `,
  [EvalResultFields],
);

/** The routes of /api/v1/eval_runs/{id}/results. */
export function evalResultRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const write = guardRouteWithBody(services, { scope: "eval_runs:write" });
  app.openapi({ ...routes.add, middleware: write }, async (c) => {
    const results = c.req.valid("json").results.map(evalResultInput);
    const { added } = await execute(getCtx(c), AddEvalResults, {
      input: { runId: toNodeId(c.req.valid("param")), results },
    });
    return c.json(addedJson(added), 200);
  });
  const read = guardRoute(services, { scope: "eval_runs:read" });
  app.openapi({ ...routes.list, middleware: read }, async (c) => {
    const { limit, offset, status } = c.req.valid("query");
    const filter = omitUndefined({ status: status === undefined ? undefined : toGraphqlEnum(status) });
    const asked = { id: toNodeId(c.req.valid("param")), limit, offset, filter };
    const { evalRun } = await execute(getCtx(c), ListEvalResults, asked);
    const results = evalRun.results.nodes.map(evalResultJson);
    const count = results.length;
    const { totalCount: total, pageInfo } = evalRun.results;
    const place = toPagination({ limit, offset, count, total, hasMore: pageInfo.hasNextPage }, LIMITS.offset);
    c.header("link", buildLinkHeader(c.req.url, place, { status }));
    return answerHashed(c, { results, count, pagination: place });
  });
  return app;
}

function toNodeId({ id }: z.output<typeof idParameter>): string {
  return toGlobalId("EvalRun", id.toLowerCase());
}

function addedJson({ accepted, updated, evalRun }: ResultOf<typeof AddEvalResults>["added"]) {
  return { accepted, updated, ...evalRun };
}
