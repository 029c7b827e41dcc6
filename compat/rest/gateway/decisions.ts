import { z } from "@hono/zod-openapi";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { answerHashed } from "../shared/conditional.ts";
import {
  buildLinkHeader,
  idParameter,
  pageParameters,
  pagination,
  toPagination,
} from "../shared/parameters.ts";
import { bearerOrSession, jsonResponse, notModified, problems } from "../shared/responses.ts";
import { type RestApp, type RestServices, createRestApp, getCtx, guardRoute } from "../shared/rest-app.ts";
import { createRoute } from "../shared/route.ts";
import { newDateTime, omitUndefined, toGraphqlEnum, uuid } from "../shared/shapes.ts";
import { DecisionFields, OUTCOMES, decision, decisionJson } from "./decision-shape.ts";
import { ExplanationFields, explanation, explanationJson } from "./explanation-shape.ts";

const MAX_OFFSET = 100_000;

const security = bearerOrSession("gateway:read");

const routes = {
  list: createRoute({
    method: "get",
    path: "/operator/decisions",
    tags: ["Operators"],
    summary: "List decisions of the gateway, newest first",
    security,
    request: {
      query: z.strictObject({
        ...pageParameters({ min: 1, max: 100, default: 50 }, MAX_OFFSET),
        outcome: z.enum(OUTCOMES).optional().openapi({ description: "Only decisions with this outcome." }),
        agent_id: uuid.optional().openapi({ description: "Only what this agent asked." }),
        from: newDateTime.optional().openapi({ description: "Only what was decided then or later." }),
        to: newDateTime.optional().openapi({ description: "Only what was decided earlier." }),
      }),
    },
    responses: {
      200: jsonResponse("A page of decisions", z.strictObject({ decisions: z.array(decision), pagination })),
      304: notModified,
      ...problems("invalid_parameter", 401, 403, 422),
    },
  }),
  explain: createRoute({
    method: "get",
    path: "/operator/decisions/{id}/explain",
    tags: ["Operators"],
    summary: "Explain a decision by the policies as they were then",
    security,
    request: { params: idParameter },
    responses: {
      200: jsonResponse("Why it was decided so", z.strictObject({ explanation })),
      304: notModified,
      ...problems(400, 401, 403, 404),
    },
  }),
};

const ListDecisions = graphql(
  `
    query ListDecisions($limit: Int!, $offset: Int!, $filter: DecisionFilter) {
      decisions(first: $limit, offset: $offset, filter: $filter) {
        totalCount
        pageInfo {
          hasNextPage
        }
        nodes {
          ...DecisionFields
        }
      }
    }
  `,
  [DecisionFields],
);

const ExplainDecision = graphql(
  `
    query ExplainDecision($id: ID!) {
      explained: explainDecision(id: $id) {
        ...ExplanationFields
      }
    }
  `,
  [ExplanationFields],
);

/** The routes to read and explain what the gateway decided. */
export function decisionRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRoute(services, { scope: "gateway:read", session: true });
  app.openapi({ ...routes.list, middleware }, async (c) => {
    const { limit, offset, ...given } = c.req.valid("query");
    const { outcome, agent_id: agentId, from, to } = given;
    const filter = {
      ...omitUndefined({ from, until: to }),
      ...(outcome !== undefined && { outcome: toGraphqlEnum(outcome) }),
      ...(agentId !== undefined && { agentId: toGlobalId("Agent", agentId) }),
    };
    const { decisions } = await execute(getCtx(c), ListDecisions, { limit, offset, filter });
    const { totalCount: total, pageInfo, nodes } = decisions;
    const size = { limit, offset, count: nodes.length, total, hasMore: pageInfo.hasNextPage };
    const place = toPagination(size, MAX_OFFSET);
    c.header("link", buildLinkHeader(c.req.url, place, omitUndefined(given)));
    return answerHashed(c, { decisions: nodes.map(decisionJson), pagination: place });
  });
  app.openapi({ ...routes.explain, middleware }, async (c) => {
    const id = toGlobalId("Decision", c.req.valid("param").id);
    const { explained } = await execute(getCtx(c), ExplainDecision, { id });
    return answerHashed(c, { explanation: explanationJson(explained) });
  });
  return app;
}
