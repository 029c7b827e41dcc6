import { createFieldError } from "../domain/kernel/errors.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Builds the Relay id of a node from its type and the uuid that REST and SCIM show. */
export function toGlobalId(typename: string, uuid: string): string {
  return Buffer.from(`${typename}:${uuid}`).toString("base64");
}

/** Returns null if the text is not a Relay id. */
export function parseGlobalId(globalId: string): { typename: string; id: string } | null {
  const [typename, id, ...rest] = Buffer.from(globalId, "base64").toString().split(":");
  if (!typename || id === undefined || rest.length > 0 || !UUID.test(id)) return null;
  return { typename, id };
}

/**
 * Returns the uuid in an argument's Relay id.
 *
 * @throws {DomainError} validation_failed if it is not the id of a node of this type.
 */
export function fromGlobalId(field: string, typename: string, globalId: string): string {
  const parsed = parseGlobalId(globalId);
  if (parsed?.typename === typename) return parsed.id;
  throw createFieldError(field, `must be an id of type ${typename}`);
}

/** {@link fromGlobalId} for an optional argument. */
export function fromOptionalGlobalId(
  field: string,
  typename: string,
  globalId: string | null | undefined,
): string | null {
  return typeof globalId === "string" ? fromGlobalId(field, typename, globalId) : null;
}
