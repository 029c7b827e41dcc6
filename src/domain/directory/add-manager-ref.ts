import { isObject } from "../kernel/is-object.ts";
import type { Attributes, Resource } from "./resource.ts";
import { ENTERPRISE_SCHEMA } from "./user-schema.ts";

/** Adds the manager's URL, relative to the endpoint, if the manager is a user. */
export function addManagerRef({ attributes, managerId }: Resource): Attributes {
  const extension = attributes[ENTERPRISE_SCHEMA.id];
  if (managerId === null || !isObject(extension) || !isObject(extension["manager"])) return attributes;
  const manager = { ...extension["manager"], $ref: `Users/${managerId}` };
  return { ...attributes, [ENTERPRISE_SCHEMA.id]: { ...extension, manager } };
}
