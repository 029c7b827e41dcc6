import type { Context } from "hono";
import { RESOURCE_TYPE_NAMES, type ResourceTypeName } from "../../src/domain/directory/resource-types.ts";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import {
  type ScimApp,
  type ScimEnv,
  answerJson,
  getBaseUrl,
  createScimApp,
  readBody,
  requireSchema,
} from "./scim-app.ts";
import { AGENT_OPERATIONS } from "./agents.ts";
import { GROUP_OPERATIONS } from "./groups.ts";
import {
  type ListRequest,
  type Parameters,
  bodyParameters,
  readListRequest,
  queryParameters,
} from "./read-list-request.ts";
import { listResponse } from "./list-response.ts";
import type { Operations } from "./operations.ts";
import { isShown } from "./projection.ts";
import { ENDPOINTS, resourceJson } from "./resource-json.ts";
import { URNS } from "./urns.ts";
import { USER_OPERATIONS } from "./users.ts";

const ListResources = graphql(`
  query ScimListResources($query: DirectoryQuery!) {
    directoryResources(query: $query) {
      total
      nextCursor
      previousCursor
      nodes {
        __typename
        ... on DirectoryUser {
          uuid
          version
          attributes
          createdAt
          updatedAt
        }
        ... on DirectoryGroup {
          uuid
          version
          attributes
          createdAt
          updatedAt
        }
        ... on DirectoryAgent {
          uuid
          version
          attributes
          createdAt
          updatedAt
        }
      }
    }
  }
`);

const TYPES = {
  DirectoryUser: "User",
  DirectoryGroup: "Group",
  DirectoryAgent: "Agent",
} as const satisfies Record<string, ResourceTypeName>;

/** Searches by POST, of one type or all, and the list of all resources. @see RFC 7644, 3.4.2.1 and 3.4.3. */
export function searchRoutes(): ScimApp {
  const app = createScimApp();
  app.get("/", (c) =>
    answerAll(c, readListRequest(RESOURCE_TYPE_NAMES, queryParameters(c.req.url), getBaseUrl(c))),
  );
  app.post("/.search", async (c) =>
    answerAll(c, readListRequest(RESOURCE_TYPE_NAMES, await readSearch(c), getBaseUrl(c))),
  );
  for (const operations of [USER_OPERATIONS, GROUP_OPERATIONS, AGENT_OPERATIONS]) {
    const path = `${ENDPOINTS[operations.type]}/.search`;
    app.post(path, async (c) => answerOne(c, operations, await readSearch(c)));
    // Registered before the route that would take it for a resource's id.
    app.all(path, () => {
      throw new DomainError("method_not_allowed", "This path allows only POST.");
    });
  }
  return app;
}

async function readSearch(c: Context<ScimEnv>) {
  const body = await readBody(c);
  requireSchema(body, URNS.searchRequest);
  return bodyParameters(body);
}

async function answerOne(
  c: Context<ScimEnv>,
  operations: Operations,
  parameters: Parameters,
): Promise<Response> {
  const request = readListRequest([operations.type], parameters, getBaseUrl(c));
  const { nodes, ...page } = await operations.list(c.get("ctx"), toQuery(request));
  const shape = getShape(c, request);
  const resources = nodes.map((node) => resourceJson(operations.type, node, shape));
  return answerJson(c, listResponse({ ...page, resources }, request));
}

async function answerAll(c: Context<ScimEnv>, request: ListRequest): Promise<Response> {
  const found = await execute(c.get("ctx"), ListResources, { query: toQuery(request) });
  const { nodes, ...page } = found.directoryResources;
  const shape = getShape(c, request);
  const resources = nodes.map((node) => resourceJson(TYPES[node.__typename], node, shape));
  return answerJson(c, listResponse({ ...page, resources }, request));
}

function getShape(c: Context<ScimEnv>, { projection }: ListRequest) {
  return { base: getBaseUrl(c), projection };
}

function toQuery({ projection, ...request }: ListRequest) {
  return { ...request, members: isShown(projection, "members") };
}
