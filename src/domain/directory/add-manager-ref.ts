import { isObject } from "../kernel/is-object.ts";
import type { Attributes, Resource } from "./resource.ts";
import { ENTERPRISE_SCHEMA } from "./user-schema.ts";

/** A resource's attributes with the manager's address, relative to the endpoint, where there is such a user. */
export function addManagerRef({ attributes, managerId }: Resource): Attributes {
  const extension = attributes[ENTERPRISE_SCHEMA.id];
  if (managerId === null || !isObject(extension) || !isObject(extension["manager"])) return attributes;
  const manager = { ...extension["manager"], $ref: `Users/${managerId}` };
  return { ...attributes, [ENTERPRISE_SCHEMA.id]: { ...extension, manager } };
}
