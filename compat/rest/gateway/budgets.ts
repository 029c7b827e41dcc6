import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import { answerHashed } from "../shared/conditional.ts";
import { buildLinkHeader, pageParameters, pagination, toPagination } from "../shared/parameters.ts";
import { bearerOrSession, jsonResponse, notModified, problems } from "../shared/responses.ts";
import { type RestApp, type RestServices, createRestApp, getCtx, guardRoute } from "../shared/rest-app.ts";
import { createRoute } from "../shared/route.ts";
import { dateTime, toWireEnum, uuid } from "../shared/shapes.ts";
import { amountText, budgetUnit } from "./reservation-shape.ts";

const MAX_OFFSET = 10_000;

const budget = z
  .strictObject({
    id: uuid,
    name: z.string(),
    description: z.string().nullable(),
    scope: z
      .strictObject({
        type: z.enum(["workspace", "each_agent", "agent", "each_label", "label"]),
        agent_id: uuid.nullable(),
        label: z.string().nullable(),
        value: z.string().nullable(),
      })
      .openapi({ description: "Whose use counts: one sum, or one for each agent or value of a label." }),
    unit: budgetUnit,
    limit: amountText,
    period: z.enum(["minute", "hour", "day", "month", "total"]),
    time_zone: z.string().openapi({ example: "Europe/Berlin" }),
    thresholds: z.array(z.strictObject({ percent: z.int(), action: z.enum(["warn", "pause", "ask"]) })),
    default_estimate: amountText.nullable(),
    on_expiry: z.enum(["charge", "release"]),
    enabled: z.boolean(),
    windows: z
      .array(
        z.strictObject({
          subject: z.string().openapi({
            description: "The agent's id or the label's value; empty if the budget has one sum.",
          }),
          limit: amountText,
          used: amountText,
          reserved: amountText,
          starts_at: dateTime,
          ends_at: dateTime.nullable(),
        }),
      )
      .openapi({ description: "The sums of the current period, at most 20, by subject." }),
    created_by: actor,
    updated_by: actor,
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi("Budget");

const routes = {
  list: createRoute({
    method: "get",
    path: "/operator/budgets",
    tags: ["Budgets"],
    summary: "List budgets with what is used and reserved, newest first",
    security: bearerOrSession("gateway:read"),
    request: { query: z.strictObject({ ...pageParameters({ min: 0, max: 100, default: 50 }, MAX_OFFSET) }) },
    responses: {
      200: jsonResponse("A page of budgets", z.strictObject({ budgets: z.array(budget), pagination })),
      304: notModified,
      ...problems("invalid_parameter", 401, 403),
    },
  }),
};

const BudgetFields = graphql(
  `
    fragment BudgetFields on Budget {
      id: uuid
      name
      description
      scope {
        type
        agent_id: agentUuid
        label
        value
      }
      unit
      limit
      period
      time_zone: timeZone
      thresholds {
        percent
        action
      }
      default_estimate: defaultEstimate
      on_expiry: onExpiry
      enabled
      windows(first: 20) {
        subject
        limit
        used
        reserved
        starts_at: startsAt
        ends_at: endsAt
      }
      created_by: createdBy {
        ...ActorFields
      }
      updated_by: updatedBy {
        ...ActorFields
      }
      generation
      created_at: createdAt
      updated_at: updatedAt
    }
  `,
  [ActorFields],
);

const ListBudgets = graphql(
  `
    query ListBudgets($limit: Int!, $offset: Int!) {
      budgets(first: $limit, offset: $offset) {
        totalCount
        pageInfo {
          hasNextPage
        }
        nodes {
          ...BudgetFields
        }
      }
    }
  `,
  [BudgetFields],
);

/** The routes of /api/v1/operator/budgets. */
export function budgetRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRoute(services, { scope: "gateway:read", session: true });
  app.openapi({ ...routes.list, middleware }, async (c) => {
    const { limit, offset } = c.req.valid("query");
    const { budgets } = await execute(getCtx(c), ListBudgets, { limit, offset });
    const { nodes, totalCount: total, pageInfo } = budgets;
    const hasMore = pageInfo.hasNextPage;
    const place = toPagination({ limit, offset, count: nodes.length, total, hasMore }, MAX_OFFSET);
    c.header("link", buildLinkHeader(c.req.url, place));
    return answerHashed(c, { budgets: nodes.map(budgetJson), pagination: place });
  });
  return app;
}

function budgetJson({
  scope,
  created_by: maker,
  updated_by: changer,
  ...rest
}: ResultOf<typeof BudgetFields>) {
  return {
    ...rest,
    scope: { ...scope, type: toWireEnum(scope.type) },
    unit: toWireEnum(rest.unit),
    period: toWireEnum(rest.period),
    on_expiry: toWireEnum(rest.on_expiry),
    thresholds: rest.thresholds.map(({ percent, action }) => ({ percent, action: toWireEnum(action) })),
    created_by: actorJson(maker),
    updated_by: actorJson(changer),
  };
}
