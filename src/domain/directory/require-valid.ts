import { DomainError, createFieldError } from "../kernel/errors.ts";
import { isObject } from "../kernel/is-object.ts";
import type { Attributes } from "./resource.ts";
import { type ResourceTypeName, rootAttributes } from "./resource-types.ts";

/** The most bytes of a user's attributes as JSON. */
const BYTES_AT_MOST = 131_072;
const ADDRESS_AT_MOST = 256;

/**
 * Checks rules on a whole resource: required attributes exist, and at most one element is primary.
 *
 * @throws {DomainError} validation_failed; immutable_attribute if a patch removes a required attribute.
 * @see RFC 7643, 2.4; RFC 7644, 3.5.2.2.
 */
export function requireValid(type: ResourceTypeName, attributes: Attributes, isPatch: boolean): void {
  for (const { name, required } of rootAttributes(type)) {
    const value = attributes[name];
    if (required && (typeof value !== "string" || value.trim() === ""))
      throw createRequiredError(name, isPatch && value === undefined);
    if (name === "emails" && Array.isArray(value) && value.some(isTooLong)) {
      throw createFieldError("emails.value", `must have at most ${ADDRESS_AT_MOST} characters`);
    }
    if (Array.isArray(value) && value.filter(isPrimary).length > 1) {
      throw createFieldError(name, "must have at most one primary element");
    }
  }
  if (type === "User" && Buffer.byteLength(JSON.stringify(attributes)) > BYTES_AT_MOST) {
    throw createFieldError("User", `must have at most ${BYTES_AT_MOST} bytes as JSON`);
  }
}

function createRequiredError(name: string, isTaken: boolean): DomainError {
  if (!isTaken) return createFieldError(name, "is required");
  return new DomainError("immutable_attribute", `${name} is required and can't be removed.`, {
    field: name,
  });
}

/** Addresses are indexed, so their length is limited. */
function isTooLong(element: unknown): boolean {
  const value = isObject(element) ? element["value"] : null;
  return typeof value === "string" && value.length > ADDRESS_AT_MOST;
}

function isPrimary(element: unknown): boolean {
  return isObject(element) && element["primary"] === true;
}
