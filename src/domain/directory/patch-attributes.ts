import { DomainError, createFieldError } from "../kernel/errors.ts";
import type { Attribute } from "./attribute.ts";
import { coerceValue, isWritable, unwrapSingle } from "./coerce.ts";
import { isObject } from "../kernel/is-object.ts";
import { requireFilter } from "./compile-filter.ts";
import { countParts } from "./filter.ts";
import { matchesElement } from "./matches-element.ts";
import {
  PROCESSED_ELEMENTS_AT_MOST,
  type PatchOperation,
  createPathError,
  createNoTargetError,
} from "./patch-operation.ts";
import { type PatchTarget, patchElements } from "./patch-elements.ts";
import type { Attributes } from "./resource.ts";
import { type ResourceTypeName, findAttributeByName, attributesOnPath } from "./resource-types.ts";

/**
 * Applies the operations of a PATCH in order to a copy of the attributes.
 *
 * @throws {DomainError} invalid_path, no_target, immutable_attribute, validation_failed, invalid_filter;
 *   payload_too_large for operations that process too many elements.
 * @see RFC 7644, 3.5.2.
 */
export function patchAttributes(
  type: ResourceTypeName,
  attributes: Attributes,
  operations: readonly PatchOperation[],
): Attributes {
  const draft = structuredClone(attributes);
  let processed = 0;
  for (const operation of operations) {
    processed += countElements(draft, operation);
    if (processed > PROCESSED_ELEMENTS_AT_MOST) throw createElementsError();
    apply(type, draft, operation);
  }
  return draft;
}

/** Counts the elements that an operation processes, once for each part of its condition. */
function countElements(draft: Attributes, { path, where }: PatchOperation): number {
  const [name = ""] = path;
  const elements = draft[name];
  return Array.isArray(elements) ? elements.length * (where === null ? 1 : countParts(where)) : 0;
}

function createElementsError(): DomainError {
  return new DomainError(
    "payload_too_large",
    `Too many operations on attributes with many values. A patch processes at most ${PROCESSED_ELEMENTS_AT_MOST} values.`,
  );
}

function apply(type: ResourceTypeName, draft: Attributes, operation: PatchOperation): void {
  const found = attributesOnPath(type, operation.path);
  const attribute = found?.at(-1);
  if (found === null || attribute === undefined)
    throw createPathError(`${operation.path.join(".")} is unknown.`);
  const sub = getSubAttribute(attribute, operation.sub);
  for (const each of sub === null ? found : [...found, sub]) requireWritable(each);
  if (operation.op === "remove" && attribute.name === "active") throw createActiveRemovedError();
  // Passwords can't be changed by SCIM: the value is only validated.
  if (attribute.mutability === "writeOnly") return void coerceValue(attribute, operation.value);
  if (operation.op !== "remove" && operation.value === undefined)
    throw createFieldError("value", "is required");
  if (operation.where !== null)
    requireFilter(type, { kind: "some", path: operation.path, where: operation.where });
  const path = operation.path.slice(0, -1);
  const parent = path.reduce(getOrCreateMember, draft);
  if (attribute.multiValued)
    parent[attribute.name] = patchElements(parent[attribute.name], { attribute, sub }, operation);
  else changeSingle(parent, { attribute, sub }, operation);
  pruneEmpty(draft);
}

function getSubAttribute(attribute: Attribute, name: string | null): Attribute | null {
  if (name === null) return null;
  const sub = findAttributeByName(attribute.subAttributes ?? [], name);
  if (sub === undefined) throw createPathError(`${attribute.name} has no ${name}.`);
  return sub;
}

/** @see RFC 7644, 3.5.2: "mutability". */
function requireWritable(attribute: Attribute): void {
  if (isWritable(attribute) || attribute.mutability === "writeOnly") return;
  const { name } = attribute;
  throw new DomainError("immutable_attribute", `${name} can't be changed.`, { field: name });
}

/** @see RFC 7644, 3.5.2.2. */
function createActiveRemovedError(): DomainError {
  const sentence = 'RFC 7644, 3.5.2.2, has a removed attribute "considered unassigned".';
  const reading = "A resource is either active or not: replace it with true or false.";
  return new DomainError("immutable_attribute", `active can't be removed. ${sentence} ${reading}`, {
    field: "active",
  });
}

function getOrCreateMember(parent: Attributes, name: string): Attributes {
  const member = parent[name];
  if (isObject(member)) return member;
  const made: Attributes = {};
  parent[name] = made;
  return made;
}

/** Removes attributes without content. @see RFC 7643, 2.5. */
function pruneEmpty(parent: Attributes): void {
  for (const [name, member] of Object.entries(parent)) {
    if (isObject(member)) pruneEmpty(member);
    const isEmpty = Array.isArray(member)
      ? member.length === 0
      : isObject(member) && Object.keys(member).length === 0;
    if (isEmpty) delete parent[name];
  }
}

/** Changes a single value. Its path may have a condition. @see RFC 7644, 3.5.2.1 to 3.5.2.3. */
function changeSingle(parent: Attributes, { attribute, sub }: PatchTarget, operation: PatchOperation): void {
  const { name } = attribute;
  const { op, where, value } = operation;
  const current = parent[name];
  if (where !== null && !(isObject(current) && matchesElement(attribute, where, current)))
    throw createNoTargetError();
  if (sub !== null)
    return changeSingle(
      getOrCreateMember(parent, name),
      { attribute: sub, sub: null },
      { ...operation, where: null },
    );
  if (op === "remove") delete parent[name];
  else assign(parent, attribute, value);
}

/** Sub-attributes that are left out don't change. @see RFC 7644, 3.5.2.3. */
function assign(parent: Attributes, attribute: Attribute, value: unknown): void {
  const { name, type, subAttributes = [] } = attribute;
  const coerced = coerceValue(attribute, value);
  const parts = type === "complex" ? toParts(unwrapSingle(value)) : null;
  if (parts === null) return assignWhole(parent, name, coerced);
  for (const [part, inner] of Object.entries(parts)) {
    const sub = findAttributeByName(subAttributes, part);
    if (sub !== undefined && isWritable(sub)) assign(getOrCreateMember(parent, name), sub, inner);
  }
}

/** A string is taken as a complex attribute's value. Null if no part is given. */
function toParts(value: unknown): Record<string, unknown> | null {
  if (typeof value === "string") return { value };
  return isObject(value) ? value : null;
}

/** A reference without a value is removed. */
function assignWhole(parent: Attributes, name: string, coerced: unknown): void {
  if (coerced === undefined || (name === "value" && coerced === "")) delete parent[name];
  else parent[name] = coerced;
}
