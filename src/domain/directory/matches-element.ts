import type { Attribute } from "./attribute.ts";
import { type Comparable, type FilterComparison, type ScimFilter, createFilterError } from "./filter.ts";
import type { Attributes } from "./resource.ts";
import { findAttributeByName } from "./resource-types.ts";

/**
 * Whether an element matches the condition in a patch's path.
 *
 * @throws {DomainError} invalid_filter for a condition that is not on an element.
 * @see RFC 7644, 3.5.2: valuePath.
 */
export function matchesElement(attribute: Attribute, filter: ScimFilter, element: Attributes): boolean {
  switch (filter.kind) {
    case "and":
      return filter.operands.every((operand) => matchesElement(attribute, operand, element));
    case "or":
      return filter.operands.some((operand) => matchesElement(attribute, operand, element));
    case "not":
      return !matchesElement(attribute, filter.operand, element);
    case "some":
      throw createFilterError("Brackets can't be nested.");
    case "present":
    case "compare": {
      const sub = findAttributeByName(attribute.subAttributes ?? [], filter.path[0] ?? "");
      if (sub === undefined || filter.path.length > 1) {
        throw createFilterError(`${attribute.name} has no ${filter.path.join(".")}.`);
      }
      const value = element[sub.name];
      if (filter.kind === "present") return value !== undefined && value !== "";
      return isSatisfied(filter.comparison, foldValue(sub, value), foldValue(sub, filter.value));
    }
  }
}

/** Booleans may be strings, and false may be missing. */
function foldValue({ type, caseExact }: Attribute, value: unknown): Comparable {
  if (type === "boolean") return String(value).toLowerCase() === "true";
  if (typeof value !== "string") return null;
  return caseExact ? value : value.toLowerCase();
}

function isSatisfied(comparison: FilterComparison, left: Comparable, right: Comparable): boolean {
  if (comparison === "eq") return left === right;
  if (comparison === "ne") return left !== right;
  if (typeof left !== "string" || typeof right !== "string") return false;
  switch (comparison) {
    case "co":
      return left.includes(right);
    case "sw":
      return left.startsWith(right);
    case "ew":
      return left.endsWith(right);
    case "gt":
      return left > right;
    case "ge":
      return left >= right;
    case "lt":
      return left < right;
    case "le":
      return left <= right;
  }
}
