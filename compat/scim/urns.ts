const MESSAGES = "urn:ietf:params:scim:api:messages:2.0";
const CORE = "urn:ietf:params:scim:schemas:core:2.0";

/** URNs of messages and discovery schemas. @see RFC 7644, 8.2; RFC 7643, 10.3. */
export const URNS = {
  error: `${MESSAGES}:Error`,
  listResponse: `${MESSAGES}:ListResponse`,
  searchRequest: `${MESSAGES}:SearchRequest`,
  patchOp: `${MESSAGES}:PatchOp`,
  bulkRequest: `${MESSAGES}:BulkRequest`,
  bulkResponse: `${MESSAGES}:BulkResponse`,
  serviceProviderConfig: `${CORE}:ServiceProviderConfig`,
  resourceType: `${CORE}:ResourceType`,
  schema: `${CORE}:Schema`,
} as const;

/** The media type of every response. @see RFC 7644, 8.1. */
export const SCIM_JSON = "application/scim+json";
