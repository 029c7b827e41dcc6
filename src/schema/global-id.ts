import { createFieldError } from "../domain/kernel/errors.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The Relay id of a node, from its type and the uuid that REST and SCIM show. */
export function toGlobalId(typename: string, uuid: string): string {
  return Buffer.from(`${typename}:${uuid}`).toString("base64");
}

/** A Relay id's type and uuid, or null where it is none. */
export function parseGlobalId(globalId: string): { typename: string; id: string } | null {
  const [typename, id, ...rest] = Buffer.from(globalId, "base64").toString().split(":");
  if (!typename || id === undefined || rest.length > 0 || !UUID.test(id)) return null;
  return { typename, id };
}

/**
 * The uuid in the Relay id that an argument carries.
 *
 * @throws {DomainError} validation_failed for anything but the id of a node of this type.
 */
export function fromGlobalId(field: string, typename: string, globalId: string): string {
  const parsed = parseGlobalId(globalId);
  if (parsed?.typename === typename) return parsed.id;
  throw createFieldError(field, `is not an id of type ${typename}`);
}

/** {@link fromGlobalId} for an argument that may be left out. */
export function fromOptionalGlobalId(
  field: string,
  typename: string,
  globalId: string | null | undefined,
): string | null {
  return typeof globalId === "string" ? fromGlobalId(field, typename, globalId) : null;
}
