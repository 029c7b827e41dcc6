import type { Attribute } from "./attribute.ts";
import { createFieldError } from "../kernel/errors.ts";
import { ELEMENTS_AT_MOST, coerceValue, toComparedValue, elementKey, mergeRepeats } from "./coerce.ts";
import { isObject } from "../kernel/is-object.ts";
import type { ScimFilter } from "./filter.ts";
import { matchesElement } from "./matches-element.ts";
import { type PatchOperation, createNoTargetError } from "./patch-operation.ts";
import type { Attributes } from "./resource.ts";
import { findAttributeByName } from "./resource-types.ts";

/** The target of an operation: an attribute and, if the path names one, a sub-attribute of its elements. */
export type PatchTarget = { attribute: Attribute; sub: Attribute | null };

/**
 * Applies an operation to the elements of a multi-valued attribute.
 *
 * @throws {DomainError} no_target, validation_failed, invalid_filter.
 * @see RFC 7644, 3.5.2.1 to 3.5.2.3.
 */
export function patchElements(
  current: unknown,
  target: PatchTarget,
  operation: PatchOperation,
): Attributes[] {
  const elements = Array.isArray(current) ? current.filter(isObject) : [];
  const { op, where } = operation;
  if (op === "remove") return removeFrom(elements, target, operation);
  const isWhole = where === null && target.sub === null;
  if (isWhole && op === "replace") return toElements(target.attribute, operation.value);
  const changed = isWhole
    ? [...elements, ...toElements(target.attribute, operation.value)]
    : changeSelected(elements, target, operation);
  const distinct = mergeRepeats(target.attribute, changed);
  if (distinct.length > ELEMENTS_AT_MOST) {
    throw createFieldError(target.attribute.name, `must have at most ${ELEMENTS_AT_MOST} elements`);
  }
  return keepOnePrimary(target.attribute, elements, distinct);
}

/** Selects the elements that match the path's condition, or all without one. */
function selectElements(
  elements: Attributes[],
  attribute: Attribute,
  where: ScimFilter | null,
): Set<Attributes> {
  return new Set(elements.filter((element) => where === null || matchesElement(attribute, where, element)));
}

function toElements(attribute: Attribute, value: unknown): Attributes[] {
  const coerced = value === undefined ? [] : coerceValue(attribute, value);
  return Array.isArray(coerced) ? coerced.filter(isObject) : [];
}

/**
 * @see RFC 7644, 3.5.2.2. Entra ID also sends a value with the elements to remove, which is not in the RFC.
 */
function removeFrom(
  elements: Attributes[],
  { attribute, sub }: PatchTarget,
  { where, value }: PatchOperation,
): Attributes[] {
  const meant = selectElements(elements, attribute, where);
  if (where !== null && meant.size === 0) throw createNoTargetError();
  if (sub !== null) return removeSub(elements, meant, sub);
  if (value === undefined || value === null) return elements.filter((element) => !meant.has(element));
  const isNamed = createNameMatcher(attribute, toElements(attribute, value));
  return elements.filter((element) => !meant.has(element) || !isNamed(element));
}

/** Matches elements by value, or by their other parts if they have no value. */
function createNameMatcher(attribute: Attribute, parts: Attributes[]): (element: Attributes) => boolean {
  const values = new Set(parts.map(({ value }) => toComparedValue(attribute, value)));
  const others = parts.filter(({ value }) => value === undefined).map((part) => Object.entries(part));
  return (element) => {
    const { value } = element;
    if (value !== undefined && values.has(toComparedValue(attribute, value))) return true;
    return others.some((entries) => entries.every(([name, inner]) => element[name] === inner));
  };
}

/** An element that only has markers left, such as its type, is removed. */
function removeSub(elements: Attributes[], meant: Set<Attributes>, sub: Attribute): Attributes[] {
  return elements
    .map((element) => {
      const { [sub.name]: _gone, ...rest } = element;
      return meant.has(element) ? rest : element;
    })
    .filter((element) => Object.keys(element).some((name) => !MARKS.has(name)));
}

const MARKS = new Set(["type", "primary", "display"]);

/**
 * Changes the elements that match the path. If none does, creates one from a condition that describes it,
 * as Entra ID expects; any other condition has no target.
 *
 * @see RFC 7644, 3.5.2.3.
 */
function changeSelected(
  elements: Attributes[],
  { attribute, sub }: PatchTarget,
  operation: PatchOperation,
): Attributes[] {
  const { op, where, value } = operation;
  const meant = selectElements(elements, attribute, where);
  const template = buildTemplate(attribute, where);
  if (meant.size === 0 && template === null) throw createNoTargetError();
  const given = sub === null ? toElement(attribute, value) : toPart(sub, value);
  if (given === undefined) {
    if (sub !== null) return removeSub(elements, meant, sub);
    return op === "add" ? elements : elements.filter((each) => !meant.has(each));
  }
  if (meant.size === 0) return [...elements, { ...template, ...given }];
  // A replaced element keeps only what the path's condition states.
  const isReplaced = op === "replace" && sub === null;
  return elements.map((element) =>
    meant.has(element) ? { ...(isReplaced ? template : element), ...given } : element,
  );
}

function toElement(attribute: Attribute, value: unknown): Attributes | undefined {
  const element = coerceValue({ ...attribute, multiValued: false }, value);
  return isObject(element) ? element : undefined;
}

function toPart(sub: Attribute, value: unknown): Attributes | undefined {
  const part = coerceValue(sub, value);
  return part === undefined ? undefined : { [sub.name]: part };
}

/** Builds the element that `type eq "work"` or `primary eq true` describes; null for other conditions. */
function buildTemplate(attribute: Attribute, where: ScimFilter | null): Attributes | null {
  if (where === null) return {};
  if (where.kind !== "compare" || where.comparison !== "eq") return null;
  const sub = findAttributeByName(attribute.subAttributes ?? [], where.path[0] ?? "");
  if (sub === undefined || (sub.name !== "type" && sub.name !== "primary")) return null;
  return { [sub.name]: coerceValue(sub, where.value) };
}

/** If an element becomes primary, the previous one stops being it. @see RFC 7644, 3.5.2. */
function keepOnePrimary(attribute: Attribute, before: Attributes[], after: Attributes[]): Attributes[] {
  const primaries = after.filter(isPrimary);
  const known = new Set(before.filter(isPrimary).map((element) => elementKey(attribute, element)));
  const fresh = primaries.filter((element) => !known.has(elementKey(attribute, element)));
  if (primaries.length < 2 || fresh.length !== 1) return after;
  return after.map((element) =>
    isPrimary(element) && element !== fresh[0] ? { ...element, primary: false } : element,
  );
}

function isPrimary(element: Attributes): boolean {
  return element["primary"] === true;
}
