import type { Context } from "hono";
import type { ResourceTypeName } from "../../src/domain/directory/resource-types.ts";
import { DomainError } from "../../src/domain/errors.ts";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import {
  type ScimApp,
  type ScimEnv,
  answer,
  baseOf,
  createScimApp,
  readBody,
  requireSchema,
} from "./face.ts";
import { GROUPS } from "./groups.ts";
import {
  type ListRequest,
  type Parameters,
  bodyParameters,
  listRequest,
  queryParameters,
} from "./list-request.ts";
import { listResponse } from "./list-response.ts";
import type { Operations } from "./operations.ts";
import { isShown } from "./projection.ts";
import { resourceJson } from "./resource-json.ts";
import { URNS } from "./urns.ts";
import { USERS } from "./users.ts";

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

/** The searches by POST, of one type and of all, and the list of all. @see RFC 7644, 3.4.2.1 and 3.4.3. */
export function searchRoutes(): ScimApp {
  const app = createScimApp();
  app.get("/", (c) => answerAll(c, listRequest(EVERY_TYPE, queryParameters(c.req.url), baseOf(c))));
  app.post("/.search", async (c) => answerAll(c, listRequest(EVERY_TYPE, await searchIn(c), baseOf(c))));
  app.post("/Users/.search", async (c) => answerOne(c, USERS, await searchIn(c)));
  app.post("/Groups/.search", async (c) => answerOne(c, GROUPS, await searchIn(c)));
  for (const path of ["/Users/.search", "/Groups/.search"]) {
    // Before it is taken for the id of a resource.
    app.all(path, () => {
      throw new DomainError("method_not_allowed", "This path answers POST.");
    });
  }
  return app;
}

async function searchIn(c: Context<ScimEnv>) {
  const body = await readBody(c);
  requireSchema(body, URNS.searchRequest);
  return bodyParameters(body);
}

async function answerOne(
  c: Context<ScimEnv>,
  operations: Operations,
  parameters: Parameters,
): Promise<Response> {
  const request = listRequest([operations.type], parameters, baseOf(c));
  const { nodes, ...page } = await operations.list(c.get("ctx"), queryOf(request));
  const shape = shapeOf(c, request);
  const resources = nodes.map((node) => resourceJson(operations.type, node, shape));
  return answer(c, listResponse({ ...page, resources }, request));
}

async function answerAll(c: Context<ScimEnv>, request: ListRequest): Promise<Response> {
  const found = await execute(c.get("ctx"), ListResources, { query: queryOf(request) });
  const { nodes, ...page } = found.directoryResources;
  const shape = shapeOf(c, request);
  const resources = nodes.map((node) =>
    resourceJson(node.__typename === "DirectoryGroup" ? "Group" : "User", node, shape),
  );
  return answer(c, listResponse({ ...page, resources }, request));
}

function shapeOf(c: Context<ScimEnv>, { projection }: ListRequest) {
  return { base: baseOf(c), projection };
}

function queryOf({ projection, ...request }: ListRequest) {
  return { ...request, members: isShown(projection, "members") };
}
