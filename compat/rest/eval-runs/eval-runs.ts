import { z } from "@hono/zod-openapi";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { answerIfUnchanged, buildValidators } from "../shared/conditional.ts";
import { EvalRunFields, evalRun, evalRunJson } from "./eval-run-shape.ts";
import { type RestApp, type RestServices, createRestApp, getCtx, guardRoute } from "../shared/rest-app.ts";
import { buildLinkHeader, pageParameters, pagination, toPagination } from "../shared/parameters.ts";
import { jsonResponse, bearerOrSession, notModified, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";

const MAX_OFFSET = 10_000;

const routes = {
  list: createRoute({
    method: "get",
    path: "/operator/eval_runs",
    tags: ["Evaluation runs"],
    summary: "List evaluation runs, newest first",
    security: bearerOrSession("eval_runs:read"),
    request: {
      query: z.object({
        ...pageParameters({ min: 0, max: 100, default: 50 }, MAX_OFFSET),
      }),
    },
    responses: {
      200: jsonResponse("A page of runs", z.strictObject({ eval_runs: z.array(evalRun), pagination })),
      304: notModified,
      ...problems("invalid_parameter", 401, 403),
    },
  }),
};

const ListEvalRuns = graphql(
  `
    query ListEvalRuns($limit: Int!, $offset: Int!) {
      evalRuns(first: $limit, offset: $offset) {
        totalCount
        version
        pageInfo {
          hasNextPage
        }
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
    { ...routes.list, middleware: guardRoute(services, { scope: "eval_runs:read", session: true }) },
    async (c) => {
      const same = await answerIfUnchanged(c, services.build, { of: "EVAL_RUNS" });
      if (same !== null) return same;
      const { limit, offset } = c.req.valid("query");
      const { evalRuns } = await execute(getCtx(c), ListEvalRuns, { limit, offset });
      const count = evalRuns.nodes.length;
      const { totalCount: total, pageInfo } = evalRuns;
      const place = toPagination({ limit, offset, count, total, hasMore: pageInfo.hasNextPage }, MAX_OFFSET);
      const headers = {
        ...buildValidators(c, services.build, evalRuns.version),
        link: buildLinkHeader(c.req.url, place),
      };
      return c.json({ eval_runs: evalRuns.nodes.map(evalRunJson), pagination: place }, 200, headers);
    },
  );
  return app;
}
