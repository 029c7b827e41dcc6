import { attributesOnPath, type ResourceTypeName } from "../../src/domain/directory/resource-types.ts";
import { isWritable, listResourceMembers } from "../../src/domain/directory/coerce.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import {
  OPERATIONS_AT_MOST,
  OPERATION_KINDS,
  type PatchOperation,
  createPathError,
} from "../../src/domain/directory/patch-operation.ts";
import { DomainError, createFieldError } from "../../src/domain/kernel/errors.ts";
import { getMember } from "./scim-app.ts";
import { readPatchPath } from "./filter-text.ts";
import { relativizeAddresses } from "./relativize-addresses.ts";

/**
 * Parses the operations of a PATCH, where `base` is the base URL. An operation without a path becomes one
 * operation per member of its value.
 *
 * @throws {DomainError} invalid_body; invalid_path; invalid_filter; no_target; validation_failed.
 * @see RFC 7644, 3.5.2.
 */
export function patchOperations(type: ResourceTypeName, given: unknown, base: string): PatchOperation[] {
  if (!Array.isArray(given)) throw new DomainError("invalid_body", "Operations must be a list.");
  if (countPatchOperations(type, given) > OPERATIONS_AT_MOST)
    throw new DomainError("payload_too_large", `A patch can have at most ${OPERATIONS_AT_MOST} operations.`);
  const operations = given.flatMap((each: unknown) => readOperation(type, each));
  return operations.map((operation) => {
    const { where } = operation;
    return where === null ? operation : { ...operation, where: relativizeAddresses(where, base) };
  });
}

/**
 * Counts the operations of a patch as {@link patchOperations} reads them, including those that it would ignore
 * or reject.
 */
export function countPatchOperations(type: ResourceTypeName, patch: unknown): number {
  const operations = getPatchOperations(patch);
  if (!Array.isArray(operations)) return 1;
  return operations.reduce<number>((sum, each: unknown) => sum + countOperations(type, each), 0);
}

/** What a patch is to do. In the examples of RFC 7644, `data` may be the list itself instead of a PatchOp message. */
export function getPatchOperations(patch: unknown): unknown {
  return isObject(patch) ? getMember(patch, "Operations") : patch;
}

function countOperations(type: ResourceTypeName, given: unknown): number {
  if (!isObject(given) || hasPath(getMember(given, "path"))) return 1;
  const value = getMember(given, "value");
  return isObject(value) ? listResourceMembers(type, value).length : 1;
}

function hasPath(path: unknown): boolean {
  return typeof path === "string" && path.trim() !== "";
}

function readOperation(type: ResourceTypeName, given: unknown): PatchOperation[] {
  if (!isObject(given)) throw new DomainError("invalid_body", "An operation must be an object.");
  const op = operationKind(getMember(given, "op"));
  const path = getMember(given, "path") ?? "";
  const value = getMember(given, "value");
  if (typeof path !== "string") throw createPathError("A path must be a string.");
  if (hasPath(path)) return [{ op, value, ...readPath(type, path) }];
  if (op === "remove") throw new DomainError("no_target", "remove requires a path.", { field: "path" });
  if (!isObject(value)) throw createFieldError("value", "must be an object if there is no path");
  return listResourceMembers(type, value).flatMap(([name, inner]) => onMember(type, op, { name, inner }));
}

/** Case-insensitive: some identity providers send `Add`. */
function operationKind(given: unknown): PatchOperation["op"] {
  const name = typeof given === "string" ? given.toLowerCase() : "";
  const op = OPERATION_KINDS.find((kind) => kind === name);
  if (op === undefined) throw new DomainError("invalid_body", "op must be add, replace or remove.");
  return op;
}

function readPath(type: ResourceTypeName, path: string) {
  const read = readPatchPath(type, path);
  if (read === null) throw createPathError(`${path} is not an attribute of a ${type}.`);
  return read;
}

/**
 * Converts one member of a value without a path. Its name may be a path, such as `name.givenName`. Unknown and
 * read-only attributes, such as an id, are ignored.
 */
function onMember(
  type: ResourceTypeName,
  op: PatchOperation["op"],
  { name, inner }: { name: string; inner: unknown },
): PatchOperation[] {
  const path = isPath(name) ? readPatchPath(type, name) : null;
  if (path === null) return [];
  const found = attributesOnPath(type, path.path) ?? [];
  return found.every((attribute) => isWritable(attribute)) ? [{ op, value: inner, ...path }] : [];
}

function isPath(name: string): boolean {
  return name.trim() !== "" && name.length < 1000;
}
