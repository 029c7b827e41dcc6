import type { Context } from "hono";
import { RESOURCE_TYPES } from "../../src/domain/directory/resource-types.ts";
import { notFound } from "../../src/domain/errors.ts";
import { ifMatch, isKnown } from "./conditional.ts";
import {
  type ScimApp,
  type ScimEnv,
  answer,
  baseOf,
  createScimApp,
  memberOf,
  readBody,
  requireSchema,
} from "./face.ts";
import { listRequest, queryParameters, readProjection } from "./list-request.ts";
import { listResponse } from "./list-response.ts";
import type { Operations } from "./operations.ts";
import { patchOperations } from "./patch-request.ts";
import { type Projection, isShown } from "./projection.ts";
import { ENDPOINTS, type ResourceNode, locationOf, resourceJson } from "./resource-json.ts";
import { SCIM_JSON, URNS } from "./urns.ts";

/** The routes of a type of resources. @see RFC 7644, 3.2. */
export function resourceRoutes(operations: Operations): ScimApp {
  const { type } = operations;
  const app = createScimApp();
  const all = ENDPOINTS[type];
  const one = `${all}/:id` as const;

  app.get(all, async (c) => {
    const { projection, ...request } = listRequest([type], queryParameters(c.req.url));
    const query = { ...request, members: isShown(projection, "members") };
    const { nodes, ...page } = await operations.list(c.get("ctx"), query);
    const resources = nodes.map((node) => resourceJson(type, node, { base: baseOf(c), projection }));
    return answer(c, listResponse({ ...page, resources }, request));
  });

  app.post(all, async (c) => {
    const [projection, body] = [projectionIn(c, operations), await readBody(c)];
    requireSchema(body, RESOURCE_TYPES[type].schema.id);
    const node = await operations.create(c.get("ctx"), body, null);
    const location = locationOf(baseOf(c), type, node.uuid);
    return answerNode(c, operations, { node, projection, status: 201, headers: { location } });
  });

  app.get(one, async (c) => {
    const projection = projectionIn(c, operations);
    const node = await operations.read(c.get("ctx"), idIn(c, operations), isShown(projection, "members"));
    if (isKnown(c, node.version)) return c.body(null, 304, { etag: node.version, "content-type": SCIM_JSON });
    return answerNode(c, operations, { node, projection });
  });

  app.put(one, async (c) => {
    const [projection, id, body] = [projectionIn(c, operations), idIn(c, operations), await readBody(c)];
    requireSchema(body, RESOURCE_TYPES[type].schema.id);
    const node = await operations.replace(c.get("ctx"), { id, ifMatch: ifMatch(c) }, body);
    return answerNode(c, operations, { node, projection });
  });

  app.patch(one, async (c) => {
    const [projection, id, body] = [projectionIn(c, operations), idIn(c, operations), await readBody(c)];
    requireSchema(body, URNS.patchOp);
    const asked = patchOperations(type, memberOf(body, "Operations"));
    const node = await operations.patch(c.get("ctx"), { id, ifMatch: ifMatch(c) }, asked);
    return answerNode(c, operations, { node, projection });
  });

  app.delete(one, async (c) => {
    await operations.remove(c.get("ctx"), { id: idIn(c, operations), ifMatch: ifMatch(c) });
    return c.body(null, 204, { "content-type": SCIM_JSON });
  });

  return app;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What is no id of ours is nobody's. */
function idIn(c: Context<ScimEnv>, { type }: Operations): string {
  const id = c.req.param("id") ?? "";
  if (!UUID.test(id)) throw notFound(type.toLowerCase());
  return id.toLowerCase();
}

function projectionIn(c: Context<ScimEnv>, { type }: Operations): Projection {
  return readProjection([type], queryParameters(c.req.url));
}

type Answered = { node: ResourceNode; projection: Projection; status?: 201; headers?: { location: string } };

function answerNode(c: Context<ScimEnv>, { type }: Operations, answered: Answered): Response {
  const { node, projection, status = 200, headers = {} } = answered;
  const body = resourceJson(type, node, { base: baseOf(c), projection });
  return answer(c, body, { status, headers: { etag: node.version, ...headers } });
}
