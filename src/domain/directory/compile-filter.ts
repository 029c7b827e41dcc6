import type { Attribute } from "./attribute.ts";
import { type Comparable, type FilterComparison, type ScimFilter, createFilterError } from "./filter.ts";
import {
  type ResourceTypeName,
  findAttributeByName,
  RESOURCE_TYPE_NAMES,
  attributesOnPath,
} from "./resource-types.ts";
import {
  type StoredElements,
  type StoredValue,
  getStoredElements,
  buildPresenceSql,
  getStoredValue,
} from "./storage.ts";

/** Adds a value to a statement's parameters. @returns its placeholder. */
export type BindValue = (value: unknown) => string;

/** The type that a filter is compiled for. `isRoot` if several types are queried together. */
export type FilterTarget = { type: ResourceTypeName; isRoot: boolean };

type Compare = Extract<ScimFilter, { kind: "compare" }>;
type Present = Extract<ScimFilter, { kind: "present" }>;
type Leaf = Compare | Present;

/** A single-valued attribute, and where it is stored; null if it is not stored. */
type Field = { attribute: Attribute; stored: StoredValue | null };

/** A multi-valued attribute, and where it is stored. */
export type ElementsField = { attribute: Attribute; stored: StoredElements };

/**
 * Compiles a filter to an SQL condition on a row `u` of users or `g` of groups. NULL counts as false, which
 * only `not` and `ne` must consider.
 *
 * @throws {DomainError} invalid_filter for an attribute that can't be filtered in this way.
 * @see RFC 7644, 3.4.2.2.
 */
export function compileFilter(target: FilterTarget, filter: ScimFilter, bind: BindValue): string {
  switch (filter.kind) {
    case "and":
    case "or":
      return group(filter, (operand) => compileFilter(target, operand, bind));
    case "not":
      return `(${compileFilter(target, filter.operand, bind)}) IS NOT TRUE`;
    case "some":
      return compileValuePath(target, filter, bind);
    case "present":
    case "compare":
      return compileLeaf(target, filter, bind);
  }
}

/**
 * Validates a filter on a type's attributes without compiling it.
 *
 * @throws {DomainError} invalid_filter.
 */
export function requireFilter(type: ResourceTypeName, filter: ScimFilter): void {
  compileFilter({ type, isRoot: false }, filter, () => "");
}

function group(
  filter: Extract<ScimFilter, { operands: ScimFilter[] }>,
  compile: (operand: ScimFilter) => string,
): string {
  return `(${filter.operands.map((operand) => compile(operand)).join(filter.kind === "and" ? " AND " : " OR ")})`;
}

function compileLeaf({ type, isRoot }: FilterTarget, leaf: Leaf, bind: BindValue): string {
  const found = attributesOnPath(type, leaf.path);
  if (found === null && isRoot) return compileForOtherType(leaf);
  const [first, attribute] = [found?.[0], found?.at(-1)];
  if (first === undefined || attribute === undefined) throw createUnknownAttributeError(leaf.path);
  if (first.multiValued) {
    const elements = { attribute: first, stored: getStoredElements(type, first.name) };
    return compileElements(elements, { ...leaf, path: leaf.path.slice(1) }, bind);
  }
  if (attribute.type === "complex") {
    if (leaf.kind === "present") return buildPresenceSql(type, leaf.path);
    return compileLeaf({ type, isRoot }, { ...leaf, path: [...leaf.path, "value"] }, bind);
  }
  return compileValue({ attribute, stored: getStoredValue(type, leaf.path) }, leaf, bind);
}

/** Attributes of another type have no value here. @see RFC 7644, 3.4.2.1. */
function compileForOtherType(leaf: Leaf): string {
  if (isNull(leaf)) return "TRUE";
  const isSingle = RESOURCE_TYPE_NAMES.every(
    (type) => attributesOnPath(type, leaf.path)?.[0]?.multiValued !== true,
  );
  return leaf.kind === "compare" && leaf.comparison === "ne" && leaf.value !== null && isSingle
    ? "TRUE"
    : "FALSE";
}

/** Whether it compares with no value. @see RFC 7643, 2.5. */
function isNull(leaf: Leaf): boolean {
  return leaf.kind === "compare" && leaf.comparison === "eq" && leaf.value === null;
}

/** Matches if any element matches. @see RFC 7644, 3.4.2.2. */
function compileElements(elements: ElementsField, leaf: Leaf, bind: BindValue): string {
  if (isNull(leaf)) return `NOT ${compileElements(elements, { kind: "present", path: leaf.path }, bind)}`;
  const isAny = leaf.path.length === 0 && leaf.kind === "present";
  return exists(elements, isAny ? "TRUE" : compileInElement(elements, leaf, bind));
}

/**
 * Compiles the condition in brackets after an attribute, for one element of it.
 *
 * @see RFC 7644, 3.4.2.2: valuePath.
 */
export function compileInElement(elements: ElementsField, filter: ScimFilter, bind: BindValue): string {
  const { attribute, stored } = elements;
  switch (filter.kind) {
    case "and":
    case "or":
      return group(filter, (operand) => compileInElement(elements, operand, bind));
    case "not":
      return `(${compileInElement(elements, filter.operand, bind)}) IS NOT TRUE`;
    case "some":
      throw createFilterError("Brackets can't be nested.");
    case "present":
    case "compare": {
      const simple = attribute.subAttributes === undefined && filter.path.length === 0;
      const name = filter.path[0] ?? "value";
      const sub = simple ? attribute : findAttributeByName(attribute.subAttributes ?? [], name);
      if (sub === undefined || filter.path.length > 1)
        throw createUnknownAttributeError([attribute.name, ...filter.path]);
      return compileValue({ attribute: sub, stored: stored.value(sub.name) }, filter, bind);
    }
  }
}

function compileValuePath(
  target: FilterTarget,
  filter: Extract<ScimFilter, { kind: "some" }>,
  bind: BindValue,
): string {
  const found = attributesOnPath(target.type, filter.path);
  if (found === null && target.isRoot) return "FALSE";
  const attribute = found?.at(-1);
  if (attribute?.type !== "complex") throw createUnknownAttributeError(filter.path);
  if (!attribute.multiValued) {
    const within = prefixPaths(filter.where, filter.path);
    return `(${buildPresenceSql(target.type, filter.path)} AND ${compileFilter(target, within, bind)})`;
  }
  const elements = { attribute, stored: getStoredElements(target.type, attribute.name) };
  return exists(elements, compileInElement(elements, filter.where, bind));
}

/** Converts a condition on a complex value to one on the resource. */
function prefixPaths(filter: ScimFilter, prefix: string[]): ScimFilter {
  switch (filter.kind) {
    case "and":
    case "or":
      return { ...filter, operands: filter.operands.map((operand) => prefixPaths(operand, prefix)) };
    case "not":
      return { ...filter, operand: prefixPaths(filter.operand, prefix) };
    case "some":
    case "present":
    case "compare":
      return { ...filter, path: [...prefix, ...filter.path] };
  }
}

function exists({ stored }: ElementsField, condition: string): string {
  return `EXISTS (SELECT FROM ${stored.from} AND (${condition}))`;
}

function compileValue(field: Field, leaf: Leaf, bind: BindValue): string {
  const { attribute, stored } = field;
  if (stored === null || attribute.type === "complex") throw createUnknownAttributeError([attribute.name]);
  if (leaf.kind === "present") return presence(attribute, stored);
  const { comparison, value } = leaf;
  if (value === null) return compileNull(presence(attribute, stored), comparison);
  if (comparison === "ne") return `(${compileValue(field, { ...leaf, comparison: "eq" }, bind)}) IS NOT TRUE`;
  const test = { attribute, stored, comparison, value };
  switch (attribute.type) {
    case "boolean":
      return `COALESCE(${stored.sql}, FALSE) = ${bind(parseBoolean(test))}::boolean`;
    case "dateTime":
      return compileDateTime(test, bind);
    case "string":
    case "reference":
    case "binary":
      return compileText(test, bind);
  }
}

type Test = {
  attribute: Attribute;
  stored: StoredValue;
  comparison: Exclude<FilterComparison, "ne">;
  value: Exclude<Comparable, null>;
};

/** An empty string is no value. @see RFC 7644, 3.4.2.2, pr. */
function presence({ type }: Attribute, { sql }: StoredValue): string {
  return type === "boolean" || type === "dateTime" ? `${sql} IS NOT NULL` : `NULLIF(${sql}, '') IS NOT NULL`;
}

/** Null is no value. @see RFC 7643, 2.5. */
function compileNull(present: string, comparison: FilterComparison): string {
  if (comparison === "eq") return `(${present}) IS NOT TRUE`;
  if (comparison === "ne") return present;
  throw createFilterError(`null can only be compared with eq and ne, not with ${comparison}.`);
}

/** Identity providers may send booleans as strings. */
function parseBoolean({ attribute, comparison, value }: Test): boolean {
  if (comparison !== "eq")
    throw createFilterError(`${attribute.name} is a boolean and can't be compared with ${comparison}.`);
  const text = String(value).toLowerCase();
  if (typeof value !== "number" && (text === "true" || text === "false")) return text === "true";
  throw createFilterError(`${attribute.name} must be compared with true or false.`);
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/i;
const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** Compares times as instants, and parts of a time as text. @see RFC 7643, 2.3.5. */
function compileDateTime(test: Test, bind: BindValue): string {
  const { attribute, stored, comparison, value } = test;
  if (comparison === "co" || comparison === "sw" || comparison === "ew") {
    const text = { sql: `to_char(${stored.sql} AT TIME ZONE 'UTC', ${ISO})` };
    return compileText({ ...test, stored: text }, bind);
  }
  const instant = typeof value === "string" && DATE_TIME.test(value) ? new Date(addZone(value)) : null;
  const year = instant?.getUTCFullYear() ?? Number.NaN;
  if (!(year >= 1 && year <= 9999))
    throw createFilterError(`${attribute.name} must be compared with a date and time.`);
  return `${stored.sql} ${SQL_COMPARISONS[comparison]} ${bind(instant)}::timestamptz`;
}

function addZone(text: string): string {
  return /(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`;
}

const SQL_COMPARISONS = { eq: "=", gt: ">", ge: ">=", lt: "<", le: "<=" } as const;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const BINARY_COMPARISONS = new Set<FilterComparison>(["eq", "co", "sw", "ew"]);

/** PostgreSQL changes the case of both sides, so that they agree. The order is by code point. */
function compileText({ attribute, stored, comparison, value }: Test, bind: BindValue): string {
  if (typeof value !== "string")
    throw createFilterError(`${attribute.name} must be compared with a string in quotes.`);
  if (attribute.type === "binary" && !BINARY_COMPARISONS.has(comparison)) {
    throw createFilterError(`${attribute.name} is binary and can't be compared with ${comparison}.`);
  }
  if (stored.uuid !== undefined && comparison === "eq") {
    const { uuid, prefix = "" } = stored;
    const id = value.startsWith(prefix) ? value.slice(prefix.length) : "";
    return UUID.test(id) ? `${uuid} = ${bind(id)}::uuid` : "FALSE";
  }
  const left = foldCaseSql(attribute, stored.sql);
  const right = foldCaseSql(attribute, `${bind(value)}::text`);
  switch (comparison) {
    case "co":
      return `strpos(${left}, ${right}) > 0`;
    case "sw":
      return `starts_with(${left}, ${right})`;
    case "ew":
      return `right(${left}, length(${right})) = ${right}`;
    case "eq":
      return `${left} = ${right}`;
    case "gt":
    case "ge":
    case "lt":
    case "le":
      return `${left} COLLATE "C" ${SQL_COMPARISONS[comparison]} ${right} COLLATE "C"`;
  }
}

/** Returns a text's SQL for comparing and sorting. @see RFC 7643, 2.2, caseExact. */
export function foldCaseSql({ caseExact }: Attribute, sql: string): string {
  return caseExact ? sql : `lower(${sql})`;
}

function createUnknownAttributeError(path: readonly string[]): Error {
  return createFilterError(`${path.join(".")} is not an attribute that can be filtered in this way.`);
}
