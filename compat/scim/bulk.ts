import type { Context } from "hono";
import { v7 as uuidv7 } from "uuid";
import { credentialId } from "../../src/domain/kernel/actor.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import { RESOURCE_TYPES } from "../../src/domain/directory/resource-types.ts";
import { OPERATIONS_AT_MOST } from "../../src/domain/directory/patch-operation.ts";
import { toDomainError } from "../../src/domain/kernel/to-domain-error.ts";
import { DomainError, createNotFoundError } from "../../src/domain/kernel/errors.ts";
import type { RateLimit } from "../../src/http/rate-limit.ts";
import {
  type BulkOperation,
  type References,
  sortByReference,
  readBulkOperation,
  resolveReferences,
} from "./bulk-operation.ts";
import {
  type ScimApp,
  type ScimEnv,
  type ScimServices,
  answerJson,
  getBaseUrl,
  createScimApp,
  getMember,
  readBody,
  requireSchema,
} from "./scim-app.ts";
import { AGENT_OPERATIONS } from "./agents.ts";
import { GROUP_OPERATIONS } from "./groups.ts";
import type { Operations } from "./operations.ts";
import { countPatchOperations, getPatchOperations, patchOperations } from "./patch-request.ts";
import { toScimError } from "./answer-error.ts";
import { ENDPOINTS, type ResourceNode, getLocation } from "./resource-json.ts";
import { URNS } from "./urns.ts";
import { USER_OPERATIONS } from "./users.ts";

/** Maximum operations per Bulk. */
export const BULK_OPERATIONS = 100;

/** Many independent operations in one request. @see RFC 7644, 3.7. */
export function bulkRoutes({ rateLimit }: Pick<ScimServices, "rateLimit">): ScimApp {
  const app = createScimApp();
  app.post("/Bulk", async (c) => {
    const body = await readBody(c);
    requireSchema(body, URNS.bulkRequest);
    const operations = parseOperations(getMember(body, "Operations"));
    await chargeOperations(c, rateLimit, operations.length);
    const results = await run(c, operations, parseErrorsAllowed(getMember(body, "failOnErrors")));
    return answerJson(c, { schemas: [URNS.bulkResponse], Operations: results });
  });
  return app;
}

/** Each operation counts as one more request. @throws {DomainError} rate_limited. */
async function chargeOperations(
  c: Context<ScimEnv>,
  rateLimit: RateLimit,
  operations: number,
): Promise<void> {
  if (operations === 0) return;
  const { allowed, headers } = await rateLimit(credentialId(c.get("ctx").actor) ?? "", operations);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  if (allowed) return;
  throw new DomainError("rate_limited", "Too many operations per second. Try again after Retry-After.");
}

function parseOperations(given: unknown): BulkOperation[] {
  if (!Array.isArray(given)) throw new DomainError("invalid_body", "Operations must be a list.");
  if (given.length > BULK_OPERATIONS) {
    throw new DomainError("payload_too_large", `A Bulk can have at most ${BULK_OPERATIONS} operations.`);
  }
  const operations = given.map((each: unknown) => readBulkOperation(each));
  requireFewPatches(operations);
  requireDistinct(operations.filter(({ method }) => method === "POST").map(({ bulkId }) => bulkId));
  return operations;
}

/** All patches together may have as many operations as one alone. */
function requireFewPatches(operations: BulkOperation[]): void {
  const total = operations.reduce((sum, operation) => sum + countOperations(operation), 0);
  if (total <= OPERATIONS_AT_MOST) return;
  throw new DomainError(
    "payload_too_large",
    `The patches of a Bulk can have at most ${OPERATIONS_AT_MOST} operations in total.`,
  );
}

/** Counts the operations of a patch; 0 for another method or path, which runs none. */
function countOperations({ method, path, data }: BulkOperation): number {
  const { operations } = parseTarget(path);
  if (method !== "PATCH" || operations === undefined) return 0;
  return countPatchOperations(operations.type, data);
}

/** Each bulkId must be unique. @see RFC 7644, 3.7. */
function requireDistinct(bulkIds: (string | null)[]): void {
  const named = bulkIds.filter((bulkId) => bulkId !== null);
  if (new Set(named).size === named.length) return;
  throw new DomainError("validation_failed", "Each POST in a Bulk must have a unique bulkId.", {
    field: "bulkId",
  });
}

function parseErrorsAllowed(given: unknown): number {
  if (given === undefined || given === null) return Number.POSITIVE_INFINITY;
  if (typeof given === "number" && Number.isInteger(given) && given >= 0)
    return given === 0 ? Number.POSITIVE_INFINITY : given;
  throw new DomainError("validation_failed", "failOnErrors must be a whole number.", {
    field: "failOnErrors",
  });
}

/** The result of an operation. @see RFC 7644, 3.7: BulkResponse. */
type Result = {
  method: string;
  bulkId?: string;
  location?: string;
  version?: string;
  status: string;
  response?: object;
};

/** Runs operations after those they refer to. The results are in the order of the request. */
async function run(c: Context<ScimEnv>, operations: BulkOperation[], errors: number): Promise<Result[]> {
  const ids = new Map(
    operations.flatMap(({ method, bulkId }) =>
      method === "POST" && bulkId !== null ? [[bulkId, uuidv7()]] : [],
    ),
  );
  const references: References = { ids, failed: new Set() };
  const results = new Map<BulkOperation, Result>();
  let failed = 0;
  for (const operation of sortByReference(operations)) {
    if (failed >= errors) break;
    const result = await runOne(c, operation, references);
    results.set(operation, result);
    if (Number(result.status) < 400) continue;
    failed++;
    if (operation.method === "POST" && operation.bulkId !== null) references.failed.add(operation.bulkId);
  }
  return operations.flatMap((operation) => results.get(operation) ?? []);
}

async function runOne(
  c: Context<ScimEnv>,
  operation: BulkOperation,
  references: References,
): Promise<Result> {
  const { method, bulkId } = operation;
  const named = { method, ...(bulkId !== null && { bulkId }) };
  try {
    return { ...named, ...(await perform(c, operation, references)) };
  } catch (error) {
    if (toDomainError(error) === null) c.get("log").error({ err: error }, "Bulk operation failed");
    const { status, body } = toScimError(error);
    return { ...named, ...locateOperation(c, operation, references), status: String(status), response: body };
  }
}

/** The location of the resource. A failed POST has none. @see RFC 7644, 3.7: location. */
function locateOperation(
  c: Context<ScimEnv>,
  { method, path }: BulkOperation,
  { ids }: References,
): Pick<Result, "location"> {
  const { operations, id } = parseTarget(path);
  const bulkId = id?.match(/^bulkId:(.*)$/)?.[1];
  const known = bulkId === undefined ? id : (ids.get(bulkId) ?? null);
  if (method === "POST" || operations === undefined || known === null) return {};
  return { location: getLocation(getBaseUrl(c), operations.type, encodeURIComponent(known.toWellFormed())) };
}

type OperationResult = Omit<Result, "method">;

async function perform(
  c: Context<ScimEnv>,
  operation: BulkOperation,
  references: References,
): Promise<OperationResult> {
  if (operation.problem !== null) throw operation.problem;
  const { operations, id } = parseTarget(String(resolveReferences(operation.path, references)));
  if (operations === undefined) throw createNotFoundError("path");
  const data = resolveReferences(operation.data, references);
  if (operation.method === "POST") {
    if (id !== null) throw createNotFoundError("path");
    requireTypeSchema(operations, data);
    const uuid = references.ids.get(operation.bulkId ?? "") ?? null;
    return toOperationResult(c, operations, {
      node: await operations.create(c.get("ctx"), data, uuid),
      status: "201",
    });
  }
  if (id === null || !UUID.test(id)) throw createNotFoundError(operations.type.toLowerCase());
  return performOn(c, operations, { ...operation, data, id: id.toLowerCase() });
}

async function performOn(
  c: Context<ScimEnv>,
  operations: Operations,
  { method, data, version, id }: BulkOperation & { id: string },
): Promise<OperationResult> {
  const ctx = c.get("ctx");
  const target = { id, ifMatch: version === null ? null : [version], ifNoneMatch: null };
  if (method === "DELETE") {
    await operations.remove(ctx, target);
    return { location: getLocation(getBaseUrl(c), operations.type, id), status: "204" };
  }
  if (method === "PUT") {
    requireTypeSchema(operations, data);
    return toOperationResult(c, operations, {
      node: await operations.replace(ctx, target, data),
      status: "200",
    });
  }
  const patch = patchOperations(operations.type, getPatchOperations(data), getBaseUrl(c));
  const node = await operations.patch(ctx, target, patch);
  return toOperationResult(c, operations, { node, status: "200" });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function toOperationResult(
  c: Context<ScimEnv>,
  { type }: Operations,
  { node, status }: { node: ResourceNode; status: string },
): OperationResult {
  return { location: getLocation(getBaseUrl(c), type, node.uuid), version: node.version, status };
}

function parseTarget(path: string): { operations: Operations | undefined; id: string | null } {
  const [endpoint = "", id = null, ...rest] = path.split("/").filter(Boolean);
  const operations = [USER_OPERATIONS, GROUP_OPERATIONS, AGENT_OPERATIONS].find(
    ({ type }) => ENDPOINTS[type].toLowerCase() === `/${endpoint}`.toLowerCase(),
  );
  return { operations: rest.length === 0 ? operations : undefined, id };
}

function requireTypeSchema({ type }: Operations, data: unknown): void {
  if (!isObject(data)) throw new DomainError("invalid_body", "data must be an object.");
  // As in the examples of RFC 7644, `schemas` is optional within a Bulk, but must be right if given.
  if (getMember(data, "schemas") !== undefined) requireSchema(data, RESOURCE_TYPES[type].schema.id);
}
