import { isObject } from "../../src/domain/kernel/is-object.ts";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { getMember } from "./scim-app.ts";

/** One operation of a Bulk. `problem` is set if it is malformed. @see RFC 7644, 3.7. */
export type BulkOperation = {
  method: string;
  bulkId: string | null;
  path: string;
  data: unknown;
  version: string | null;
  problem: DomainError | null;
};

/** The id created for each bulkId, and the bulkIds whose operation failed. */
export type References = { ids: ReadonlyMap<string, string>; failed: Set<string> };

const METHODS = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const REFERENCE = /bulkId:([^/"\s]+)/g;

/** Parses an operation of a Bulk. If it is malformed, only this operation fails. */
export function readBulkOperation(given: unknown): BulkOperation {
  const message = isObject(given) ? given : {};
  const method = toText(getMember(message, "method"))?.toUpperCase() ?? "";
  const bulkId = toText(getMember(message, "bulkId"));
  const path = toText(getMember(message, "path")) ?? "";
  const data = getMember(message, "data");
  return {
    method,
    bulkId,
    path,
    data,
    version: toText(getMember(message, "version")),
    problem: findProblem({ method, bulkId, path, data }),
  };
}

function toText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function findProblem({
  method,
  bulkId,
  path,
  data,
}: Pick<BulkOperation, "method" | "bulkId" | "path" | "data">) {
  if (!METHODS.has(method)) return createBodyError("method must be POST, PUT, PATCH or DELETE.");
  if (path === "") return createBodyError("path is required.");
  if (method === "POST" && bulkId === null) return createBodyError("A POST requires a bulkId.");
  if (method !== "DELETE" && (data === undefined || data === null))
    return createBodyError("data is required.");
  return null;
}

function createBodyError(detail: string): DomainError {
  return new DomainError("invalid_body", detail);
}

/**
 * Sorts operations so that each comes after those it refers to. Operations that refer to each other keep their
 * order.
 *
 * @see RFC 7644, 3.7.1.
 */
export function sortByReference(operations: readonly BulkOperation[]): BulkOperation[] {
  const makers = new Map(
    operations.flatMap((each) =>
      each.method === "POST" && each.bulkId !== null ? [[each.bulkId, each]] : [],
    ),
  );
  const ordered = new Set<BulkOperation>();
  const visited = new Set<BulkOperation>();
  // Note: the recursion is at most as deep as the number of operations.
  function place(operation: BulkOperation): void {
    if (visited.has(operation)) return;
    visited.add(operation);
    for (const bulkId of listBulkIds([operation.path, operation.data])) {
      const maker = makers.get(bulkId);
      if (maker !== undefined) place(maker);
    }
    ordered.add(operation);
  }
  for (const operation of operations) place(operation);
  return [...ordered];
}

function listBulkIds(value: unknown): string[] {
  return Array.from((JSON.stringify(value) ?? "").matchAll(REFERENCE), ([, bulkId = ""]) => bulkId);
}

/**
 * Replaces bulkIds in a value by the ids of the created resources.
 *
 * @throws {DomainError} unresolved_reference if a bulkId refers to no created resource.
 * @see RFC 7644, 3.7.2.
 */
export function resolveReferences(value: unknown, references: References): unknown {
  if (typeof value === "string")
    return value.replaceAll(REFERENCE, (_, bulkId: string) => requireId(bulkId, references));
  if (Array.isArray(value)) return value.map((each: unknown) => resolveReferences(each, references));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, resolveReferences(inner, references)]),
  );
}

function requireId(bulkId: string, { ids, failed }: References): string {
  const id = ids.get(bulkId);
  if (id !== undefined && !failed.has(bulkId)) return id;
  throw new DomainError("unresolved_reference", `bulkId:${bulkId} doesn't refer to a created resource.`);
}
