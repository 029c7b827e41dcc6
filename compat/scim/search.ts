import type { Context } from "hono";
import type { ResourceTypeName } from "../../src/domain/directory/resource-types.ts";
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
import { resourceJson } from "./resource-json.ts";
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
      }
    }
  }
`);

const EVERY_TYPE: readonly ResourceTypeName[] = ["User", "Group"];

/** Searches by POST, of one type or all, and the list of all resources. @see RFC 7644, 3.4.2.1 and 3.4.3. */
export function searchRoutes(): ScimApp {
  const app = createScimApp();
  app.get("/", (c) => answerAll(c, readListRequest(EVERY_TYPE, queryParameters(c.req.url), getBaseUrl(c))));
  app.post("/.search", async (c) =>
    answerAll(c, readListRequest(EVERY_TYPE, await readSearch(c), getBaseUrl(c))),
  );
  app.post("/Users/.search", async (c) => answerOne(c, USER_OPERATIONS, await readSearch(c)));
  app.post("/Groups/.search", async (c) => answerOne(c, GROUP_OPERATIONS, await readSearch(c)));
  for (const path of ["/Users/.search", "/Groups/.search"]) {
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
  const resources = nodes.map((node) =>
    resourceJson(node.__typename === "DirectoryGroup" ? "Group" : "User", node, shape),
  );
  return answerJson(c, listResponse({ ...page, resources }, request));
}

function getShape(c: Context<ScimEnv>, { projection }: ListRequest) {
  return { base: getBaseUrl(c), projection };
}

function toQuery({ projection, ...request }: ListRequest) {
  return { ...request, members: isShown(projection, "members") };
}
