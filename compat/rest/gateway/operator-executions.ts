import { z } from "@hono/zod-openapi";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { answerHashed } from "../shared/conditional.ts";
import { idParameter } from "../shared/parameters.ts";
import { bearerOrSession, jsonResponse, notModified, problems } from "../shared/responses.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { createRoute } from "../shared/route.ts";
import { createBody, reason, toGraphqlEnum, uuid } from "../shared/shapes.ts";
import { executionPage, executionQuery, readExecutionPage } from "./execution-list.ts";
import { WholeExecutionFields, wholeExecution, wholeExecutionJson } from "./execution-shape.ts";

const resolution = z
  .strictObject({
    outcome: z.enum(["completed", "failed", "retried"]).openapi({
      description:
        "How it ended, or `retried`: its agent does it again, in another execution with a larger fence.",
    }),
    reason,
  })
  .openapi("ExecutionResolution");

const routes = {
  list: createRoute({
    method: "get",
    path: "/operator/executions",
    tags: ["Operators"],
    summary: "List executions, newest first",
    security: bearerOrSession("gateway:read"),
    request: {
      query: executionQuery.extend({
        agent_id: uuid.optional().openapi({ description: "Only executions of this agent." }),
      }),
    },
    responses: {
      200: jsonResponse("A page of executions", executionPage),
      ...problems("invalid_parameter", 401, 403),
    },
  }),
  read: createRoute({
    method: "get",
    path: "/operator/executions/{id}",
    tags: ["Operators"],
    summary: "Read an execution",
    security: bearerOrSession("gateway:read"),
    request: { params: idParameter },
    responses: {
      200: jsonResponse("The execution", z.strictObject({ execution: wholeExecution })),
      304: notModified,
      ...problems(400, 401, 403, 404),
    },
  }),
  resolve: createRoute({
    method: "post",
    path: "/operator/executions/{id}/resolve",
    tags: ["Operators"],
    summary: "Say how an execution ended, or have it done again",
    description:
      "For one that failed or whose end is unknown. Only operators and above; no agent can. A retry is decided anew by stops, policies and budgets, and needs the role that approved it; what two people approved, or what is not stored as it was, the agent must ask again.",
    // Users only: a bearer can't do this.
    security: [{ session: [] }],
    request: { params: idParameter, ...createBody(resolution) },
    responses: {
      200: jsonResponse(
        "The execution, and the new one, or null if it isn't done again",
        z.strictObject({ execution: wholeExecution, retry: z.union([wholeExecution, z.null()]) }),
      ),
      ...problems(
        400,
        401,
        403,
        404,
        "invalid_state",
        "approval_expired",
        "emergency_stop",
        "agent_paused",
        "policy_denied",
        "approval_required",
        "self_approval",
        "budget_exceeded",
        413,
        415,
        422,
      ),
    },
  }),
};

const ReadExecution = graphql(
  `
    query ReadExecution($id: ID!) {
      execution(id: $id) {
        ...WholeExecutionFields
      }
    }
  `,
  [WholeExecutionFields],
);

const ResolveExecution = graphql(
  `
    mutation ResolveExecution($input: ResolveExecutionInput!) {
      resolved: resolveExecution(input: $input) {
        execution {
          ...WholeExecutionFields
        }
        retry {
          ...WholeExecutionFields
        }
      }
    }
  `,
  [WholeExecutionFields],
);

/** The routes by which people read and resolve executions. */
export function operatorExecutionRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const read = guardRoute(services, { scope: "gateway:read", session: true });
  app.openapi({ ...routes.list, middleware: read }, async (c) => {
    const query = c.req.valid("query");
    const { page, link } = await readExecutionPage(c, query);
    return c.json(page, 200, { link: link({ status: query.status, agent_id: query.agent_id }) });
  });
  app.openapi({ ...routes.read, middleware: read }, async (c) => {
    const { execution } = await execute(getCtx(c), ReadExecution, { id: toNodeId(c.req.valid("param")) });
    return answerHashed(c, { execution: wholeExecutionJson(execution) }, execution.generation);
  });
  const resolve = guardRouteWithBody(services, { session: true });
  app.openapi({ ...routes.resolve, middleware: resolve }, async (c) => {
    const { outcome, reason: why } = c.req.valid("json");
    const input = { id: toNodeId(c.req.valid("param")), outcome: toGraphqlEnum(outcome), reason: why };
    const { execution, retry } = (await execute(getCtx(c), ResolveExecution, { input })).resolved;
    return c.json(
      {
        execution: wholeExecutionJson(execution),
        retry: retry === null ? null : wholeExecutionJson(retry),
      },
      200,
    );
  });
  return app;
}

function toNodeId({ id }: z.output<typeof idParameter>): string {
  return toGlobalId("Execution", id.toLowerCase());
}
