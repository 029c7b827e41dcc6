import type { Context } from "hono";
import { RESOURCE_TYPES, type ResourceType } from "../../src/domain/directory/resource-types.ts";
import { DomainError, createNotFoundError } from "../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import { BULK_OPERATIONS } from "./bulk.ts";
import { type ScimApp, type ScimEnv, answerJson, getBaseUrl, createScimApp } from "./scim-app.ts";
import { SCIM_PAGE_SIZE } from "./read-list-request.ts";
import { listResponse } from "./list-response.ts";
import { ENDPOINTS } from "./resource-json.ts";
import { SERVICE_SCHEMAS, type ServiceAttribute, type ServiceSchema } from "./service-schemas.ts";
import { URNS } from "./urns.ts";

/** The discovery routes: configuration, resource types and schemas. @see RFC 7644, 4. */
export function discoveryRoutes(): ScimApp {
  const app = createScimApp();
  app.get("/ServiceProviderConfig", (c) => answerDiscovery(c, serviceProviderConfig(getBaseUrl(c))));
  app.get("/ResourceTypes", (c) => answerAll(c, resourceTypes(getBaseUrl(c))));
  app.get("/ResourceTypes/:id", (c) => answerNamed(c, resourceTypes(getBaseUrl(c)), "resource type"));
  app.get("/Schemas", (c) => answerAll(c, schemas(getBaseUrl(c))));
  app.get("/Schemas/:id", (c) => answerNamed(c, schemas(getBaseUrl(c)), "schema"));
  return app;
}

type Described = { id: string };

function answerAll(c: Context<ScimEnv>, resources: Described[]): Response {
  const page = { resources, total: resources.length, nextCursor: null, previousCursor: null };
  return answerDiscovery(c, listResponse(page, { startIndex: 1, cursor: null }));
}

function answerNamed(c: Context<ScimEnv>, resources: Described[], what: string): Response {
  const wanted = (c.req.param("id") ?? "").toLowerCase();
  const found = resources.find(({ id }) => id.toLowerCase() === wanted);
  if (found === undefined) throw createNotFoundError(what);
  return answerDiscovery(c, found);
}

/** Filters are not allowed here. @see RFC 7644, 4. */
function answerDiscovery(c: Context<ScimEnv>, body: object): Response {
  if (c.req.query("filter") !== undefined) {
    throw new DomainError("forbidden", "Discovery endpoints don't support filters.");
  }
  return answerJson(c, body);
}

/** @see RFC 7643, 5; RFC 9865, 4. */
function serviceProviderConfig(base: string) {
  return {
    schemas: [URNS.serviceProviderConfig],
    patch: { supported: true },
    bulk: { supported: true, maxOperations: BULK_OPERATIONS, maxPayloadSize: LIMITS.bodyBytes },
    filter: { supported: true, maxResults: SCIM_PAGE_SIZE.most },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: "index",
      defaultPageSize: SCIM_PAGE_SIZE.default,
      maxPageSize: SCIM_PAGE_SIZE.most,
    },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "Bearer token",
        description: "The SCIM token from the workspace's settings, as a bearer token",
        specUri: "https://www.rfc-editor.org/info/rfc6750",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
  };
}

/** @see RFC 7643, 6. */
function resourceTypes(base: string) {
  return Object.values(RESOURCE_TYPES).map(({ name, description, schema, extensions }: ResourceType) => ({
    schemas: [URNS.resourceType],
    id: name,
    name,
    endpoint: ENDPOINTS[name],
    description,
    schema: schema.id,
    schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
    meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${name}` },
  }));
}

/** @see RFC 7643, 7. */
function schemas(base: string) {
  const ofResources = Object.values(RESOURCE_TYPES).flatMap(({ schema, extensions }) => [
    schema,
    ...extensions,
  ]);
  return [...ofResources, ...SERVICE_SCHEMAS].map(({ id, name, description, attributes }: ServiceSchema) => ({
    schemas: [URNS.schema],
    id,
    name,
    description,
    attributes: attributes.map((attribute) => toShownAttribute(attribute)),
    meta: { resourceType: "Schema", location: `${base}/Schemas/${id}` },
  }));
}

/** `caseExact` and `uniqueness` apply only to text. @see RFC 7643, 7. */
function toShownAttribute({ caseExact, uniqueness, subAttributes, ...rest }: ServiceAttribute): object {
  const isText = rest.type === "string" || rest.type === "reference" || rest.type === "binary";
  return {
    ...rest,
    ...(isText && { caseExact, uniqueness }),
    ...(subAttributes !== undefined && { subAttributes: subAttributes.map((sub) => toShownAttribute(sub)) }),
  };
}
