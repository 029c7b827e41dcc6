import { type ScimFilter, createFilterError } from "./filter.ts";
import type { PatchOperation } from "./patch-operation.ts";
import { type ResourceTypeName, attributesOnPath } from "./resource-types.ts";
import { getStoredElements, getStoredValue } from "./storage.ts";

/** The most costly a filter may be. */
export const FILTER_PRICE_AT_MOST = 10;

/**
 * Limits the cost of a filter. A condition on a multi-valued attribute costs 1, because it reads every
 * value of every resource; if those may be many long texts, it costs 4. One on a single text that may be long costs 1.
 * Computed attributes cost more, single values of a user's profile less.
 *
 * @throws {DomainError} invalid_filter.
 */
export function requireAffordable(types: readonly ResourceTypeName[], filter: ScimFilter): void {
  const conditions = listConditions(filter, []);
  const prices = types.map((type) =>
    conditions.reduce((sum, condition) => sum + priceCondition(type, condition), 0),
  );
  if (Math.max(...prices) <= FILTER_PRICE_AT_MOST) return;
  throw createFilterError(
    `The filter is too costly. It may have at most ${FILTER_PRICE_AT_MOST} conditions on multi-valued attributes. A text in a list of a profile, such as addresses.formatted, counts as 4, a description and a part of a time as one, a value of a profile as a quarter, manager.$ref as 5, meta.version as 10.`,
  );
}

/**
 * Applies the same limit to a PATCH's conditions on a group's members, each of which reads every member.
 * Members named by id are free.
 *
 * @throws {DomainError} invalid_filter.
 */
export function requireAffordableMembers(operations: readonly PatchOperation[]): void {
  const conditions = operations.flatMap(({ path, where }) =>
    path[0] === "members" && where !== null ? listConditions(where, []) : [],
  );
  if (conditions.filter((condition) => !isId(condition)).length <= FILTER_PRICE_AT_MOST) return;
  throw createFilterError(
    `A patch may have at most ${FILTER_PRICE_AT_MOST} conditions on members, apart from those of the form: value eq.`,
  );
}

function isId(condition: Condition): boolean {
  return condition.kind === "compare" && condition.comparison === "eq" && condition.path[0] === "value";
}

type Condition = Extract<ScimFilter, { kind: "compare" | "present" }>;

/** All conditions, with full paths. */
function listConditions(filter: ScimFilter, within: string[]): Condition[] {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.operands.flatMap((operand) => listConditions(operand, within));
    case "not":
      return listConditions(filter.operand, within);
    case "some":
      return listConditions(filter.where, [...within, ...filter.path]);
    case "present":
    case "compare":
      return [{ ...filter, path: [...within, ...filter.path] }];
  }
}

function priceCondition(type: ResourceTypeName, condition: Condition): number {
  const found = attributesOnPath(type, condition.path);
  const [first, attribute] = [found?.[0], found?.at(-1)];
  if (first === undefined || attribute === undefined) return 0;
  if (first.multiValued) return priceElement(type, first.name, found?.[1]?.name);
  const price = getStoredValue(type, condition.path)?.price ?? 0;
  return isPartOfTime(attribute.type, condition) ? price + 1 : price;
}

function priceElement(type: ResourceTypeName, name: string, subAttribute = "value"): number {
  return getStoredElements(type, name).value(subAttribute)?.price ?? 1;
}

/** Whether a time must be formatted to be compared. */
function isPartOfTime(type: string, condition: Condition): boolean {
  return type === "dateTime" && condition.kind === "compare" && /^(?:co|sw|ew)$/.test(condition.comparison);
}
