import type { Context } from "hono";
import { RESOURCE_TYPES } from "../../src/domain/directory/resource-types.ts";
import { hasVersion, requireVersion } from "../../src/domain/directory/version.ts";
import { createNotFoundError } from "../../src/domain/kernel/errors.ts";
import { readCondition } from "./conditional.ts";
import {
  type ScimApp,
  type ScimEnv,
  answerJson,
  answerNothing,
  getBaseUrl,
  createScimApp,
  getMember,
  readBody,
  requireSchema,
} from "./scim-app.ts";
import { readListRequest, queryParameters, readProjection } from "./read-list-request.ts";
import { listResponse } from "./list-response.ts";
import type { Operations } from "./operations.ts";
import { patchOperations } from "./patch-request.ts";
import { type Projection, isShown } from "./projection.ts";
import { ENDPOINTS, type ResourceNode, getLocation, resourceJson } from "./resource-json.ts";
import { URNS } from "./urns.ts";

/** The routes of a resource type. @see RFC 7644, 3.2. */
export function resourceRoutes(operations: Operations): ScimApp {
  const { type } = operations;
  const app = createScimApp();
  const all = ENDPOINTS[type];
  const one = `${all}/:id` as const;

  app.get(all, async (c) => {
    const { projection, ...request } = readListRequest([type], queryParameters(c.req.url), getBaseUrl(c));
    const query = { ...request, members: isShown(projection, "members") };
    const { nodes, ...page } = await operations.list(c.get("ctx"), query);
    const resources = nodes.map((node) => resourceJson(type, node, { base: getBaseUrl(c), projection }));
    return answerJson(c, listResponse({ ...page, resources }, request));
  });

  app.post(all, async (c) => {
    const [projection, body] = [getProjection(c, operations), await readBody(c)];
    requireSchema(body, RESOURCE_TYPES[type].schema.id);
    const node = await operations.create(c.get("ctx"), body, null);
    return answerNode(c, operations, { node, projection, status: 201 });
  });

  app.get(one, async (c) => {
    const projection = getProjection(c, operations);
    const node = await operations.read(c.get("ctx"), getId(c, operations), isShown(projection, "members"));
    const { ifMatch, ifNoneMatch } = readCondition(c);
    requireVersion(type.toLowerCase(), node.version, { ifMatch });
    const isKnown = hasVersion(ifNoneMatch ?? [], node.version);
    return answerNode(c, operations, { node, projection, status: isKnown ? 304 : 200 });
  });

  app.put(one, async (c) => {
    const [projection, id, body] = [getProjection(c, operations), getId(c, operations), await readBody(c)];
    requireSchema(body, RESOURCE_TYPES[type].schema.id);
    const node = await operations.replace(c.get("ctx"), { id, ...readCondition(c) }, body);
    return answerNode(c, operations, { node, projection });
  });

  app.patch(one, async (c) => {
    const [projection, id, body] = [getProjection(c, operations), getId(c, operations), await readBody(c)];
    requireSchema(body, URNS.patchOp);
    const asked = patchOperations(type, getMember(body, "Operations"), getBaseUrl(c));
    const node = await operations.patch(c.get("ctx"), { id, ...readCondition(c) }, asked);
    return answerNode(c, operations, { node, projection });
  });

  app.delete(one, async (c) => {
    await operations.remove(c.get("ctx"), { id: getId(c, operations), ...readCondition(c) });
    return answerNothing(c, 204);
  });

  return app;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A malformed id is not found. */
function getId(c: Context<ScimEnv>, { type }: Operations): string {
  const id = c.req.param("id") ?? "";
  if (!UUID.test(id)) throw createNotFoundError(type.toLowerCase());
  return id.toLowerCase();
}

function getProjection(c: Context<ScimEnv>, { type }: Operations): Projection {
  return readProjection([type], queryParameters(c.req.url));
}

type Answered = { node: ResourceNode; projection: Projection; status?: 200 | 201 | 304 };

/** `meta.location` is the Content-Location (RFC 7643, 3.1), and the Location as in RFC 7644, 3.3 to 3.5. */
function answerNode(c: Context<ScimEnv>, { type }: Operations, answered: Answered): Response {
  const { node, projection, status = 200 } = answered;
  const location = getLocation(getBaseUrl(c), type, node.uuid);
  const headers = { etag: node.version, location, "content-location": location };
  if (status === 304) return answerNothing(c, status, headers);
  return answerJson(c, resourceJson(type, node, { base: getBaseUrl(c), projection }), { status, headers });
}
