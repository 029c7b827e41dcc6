import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { answerHashed } from "../shared/conditional.ts";
import { buildLinkHeader, pageParameters, pagination, toPagination } from "../shared/parameters.ts";
import { bearer, jsonResponse, notModified, problems } from "../shared/responses.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { createRoute } from "../shared/route.ts";
import { createBody, dateTime, jsonObject, omitUndefined } from "../shared/shapes.ts";

const MAX_OFFSET = 100_000;

const entityType = z
  .string()
  .regex(/^[A-Za-z]\w{0,63}$/, "must be 1 to 64 letters, digits and underscores, a letter first")
  .openapi({ example: "user" });
const entityId = z.string().min(1).max(LIMITS.entityName).openapi({ example: "ada" });

const entity = z
  .strictObject({
    type: entityType,
    id: entityId.openapi({ description: "Its id in requests, unique in its type." }),
    properties: jsonObject(LIMITS.entityBytes),
    generation: z.int().openapi({ description: "Counts its changes, from 1." }),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi("GatewayEntity", {
    description:
      "A subject or resource that is no agent. Where a request to the gateway has no properties for it, it has these.",
  });

const params = z.strictObject({
  type: entityType.openapi({ description: "Not `agent`, `robot` or `member`: those are known." }),
  id: entityId.openapi({ description: "Percent-encoded." }),
});

const found = jsonResponse("The entity", z.strictObject({ entity }));

const routes = {
  list: createRoute({
    method: "get",
    path: "/gateway/entities",
    tags: ["Gateway"],
    summary: "List entities, newest first",
    security: bearer("gateway:delegate"),
    request: {
      query: z.strictObject({
        ...pageParameters({ min: 1, max: 100, default: 50 }, MAX_OFFSET),
        type: entityType.optional().openapi({ description: "Only entities of this type." }),
      }),
    },
    responses: {
      200: jsonResponse(
        "A page of entities",
        z.strictObject({ entities: z.array(entity), count: z.int(), pagination }),
      ),
      304: notModified,
      ...problems("invalid_parameter", 401, 403, 422),
    },
  }),
  read: createRoute({
    method: "get",
    path: "/gateway/entities/{type}/{id}",
    tags: ["Gateway"],
    summary: "Read an entity",
    security: bearer("gateway:delegate"),
    request: { params },
    responses: { 200: found, 304: notModified, ...problems(400, 401, 403, 404, 422) },
  }),
  save: createRoute({
    method: "put",
    path: "/gateway/entities/{type}/{id}",
    tags: ["Gateway"],
    summary: "Create an entity or replace its properties",
    security: bearer("gateway:delegate"),
    request: {
      params,
      ...createBody(
        z.strictObject({ properties: jsonObject(LIMITS.entityBytes) }).openapi("NewGatewayEntity"),
      ),
    },
    responses: { 200: found, ...problems(400, 401, 403, 404, 413, 415, 422) },
  }),
  remove: createRoute({
    method: "delete",
    path: "/gateway/entities/{type}/{id}",
    tags: ["Gateway"],
    summary: "Delete an entity",
    security: bearer("gateway:delegate"),
    request: { params },
    responses: { 204: { description: "Deleted" }, ...problems(400, 401, 403, 404, 422) },
  }),
};

const EntityFields = graphql(`
  fragment EntityFields on GatewayEntity {
    type
    id: entityId
    properties
    generation
    created_at: createdAt
    updated_at: updatedAt
  }
`);

const ListEntities = graphql(
  `
    query ListEntities($limit: Int!, $offset: Int!, $filter: GatewayEntityFilter) {
      gatewayEntities(first: $limit, offset: $offset, filter: $filter) {
        totalCount
        pageInfo {
          hasNextPage
        }
        nodes {
          ...EntityFields
        }
      }
    }
  `,
  [EntityFields],
);

const ReadEntity = graphql(
  `
    query ReadEntity($type: String!, $entityId: String!) {
      gatewayEntity(type: $type, entityId: $entityId) {
        ...EntityFields
      }
    }
  `,
  [EntityFields],
);

const SaveEntity = graphql(
  `
    mutation SaveEntity($input: SaveGatewayEntityInput!) {
      saved: saveGatewayEntity(input: $input) {
        entity {
          ...EntityFields
        }
      }
    }
  `,
  [EntityFields],
);

const DeleteEntity = graphql(`
  mutation DeleteEntity($input: DeleteGatewayEntityInput!) {
    deleteGatewayEntity(input: $input) {
      entity {
        id: entityId
      }
    }
  }
`);

/** The routes of what the gateway knows of subjects and resources that are no agents. */
export function gatewayEntityRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const guard = guardRoute(services, { scope: "gateway:delegate" });
  app.openapi({ ...routes.list, middleware: guard }, async (c) => {
    const { limit, offset, type } = c.req.valid("query");
    const filter = omitUndefined({ type });
    const { gatewayEntities } = await execute(getCtx(c), ListEntities, { limit, offset, filter });
    const { totalCount: total, pageInfo, nodes } = gatewayEntities;
    const count = nodes.length;
    const place = toPagination({ limit, offset, count, total, hasMore: pageInfo.hasNextPage }, MAX_OFFSET);
    c.header("link", buildLinkHeader(c.req.url, place, { type }));
    return answerHashed(c, { entities: nodes, count, pagination: place });
  });
  app.openapi({ ...routes.read, middleware: guard }, async (c) => {
    const { gatewayEntity } = await execute(getCtx(c), ReadEntity, toName(c.req.valid("param")));
    return answerHashed(c, { entity: gatewayEntity });
  });
  const middleware = guardRouteWithBody(services, { scope: "gateway:delegate" });
  app.openapi({ ...routes.save, middleware }, async (c) => {
    const input = { ...toName(c.req.valid("param")), ...c.req.valid("json") };
    const { saved } = await execute(getCtx(c), SaveEntity, { input });
    return c.json({ entity: saved.entity }, 200);
  });
  app.openapi({ ...routes.remove, middleware: guard }, async (c) => {
    await execute(getCtx(c), DeleteEntity, { input: toName(c.req.valid("param")) });
    return c.body(null, 204);
  });
  return app;
}

function toName({ type, id }: z.output<typeof params>) {
  return { type, entityId: id };
}
