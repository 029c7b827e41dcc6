import type { Attribute } from "../../src/domain/directory/attribute.ts";
import {
  type Comparable,
  COMPARISONS,
  type FilterComparison,
  FILTER_LIMITS,
  type ScimFilter,
  createFilterError,
  requireBounded,
} from "../../src/domain/directory/filter.ts";
import {
  findAttributeByName,
  attributesOnPath,
  resolveAttribute,
} from "../../src/domain/directory/resource-types.ts";
import type { ResourceTypeName } from "../../src/domain/directory/resource-types.ts";
import { type Token, tokenize } from "./tokens.ts";

/** The state of the parser. `at` is the index of the next token; `resolve` looks up attribute names. */
type Reading = { tokens: Token[]; at: number; resolve: (name: string) => Found | null };

/** An attribute and its path. */
type Found = { path: string[]; attribute: Attribute };

/** The target of a patch operation. @see RFC 7644, 3.5.2: PATH. */
export type PatchPath = { path: string[]; where: ScimFilter | null; sub: string | null };

/**
 * Parses a filter for these resource types. Rejects anything unknown, so that a filter never matches too much.
 *
 * @throws {DomainError} invalid_filter.
 * @see RFC 7644, 3.4.2.2.
 */
export function readFilter(types: readonly ResourceTypeName[], text: string): ScimFilter {
  const reading = { tokens: tokenize(text), at: 0, resolve: (name: string) => findAttribute(types, name) };
  const filter = readOr(reading, 1);
  if (peek(reading) !== undefined) throw createSyntaxError(reading);
  requireBounded(filter);
  return filter;
}

/**
 * Parses the path of a patch operation. Returns null if it names no attribute.
 *
 * @throws {DomainError} invalid_filter if its condition can't be parsed.
 * @see RFC 7644, 3.5.2: PATH.
 */
export function readPatchPath(type: ResourceTypeName, text: string): PatchPath | null {
  const reading = { tokens: tokenize(text), at: 0, resolve: (name: string) => findAttribute([type], name) };
  const name = peek(reading);
  if (name?.kind !== "word") return null;
  reading.at++;
  const found = reading.resolve(name.text);
  if (found === null) return null;
  const next = peek(reading);
  if (next === undefined) return toElementPath(type, found.path);
  if (next.kind !== "[") return null;
  const where = readBrackets(reading, found, 1);
  const sub = readSub(reading, found);
  return sub === undefined || peek(reading) !== undefined ? null : { path: found.path, where, sub };
}

/** `emails.value` targets the value of every email. */
function toElementPath(type: ResourceTypeName, path: string[]): PatchPath {
  const [first] = attributesOnPath(type, path) ?? [];
  if (first?.multiValued !== true) return { path, where: null, sub: null };
  return { path: path.slice(0, 1), where: null, sub: path[1] ?? null };
}

function findAttribute(types: readonly ResourceTypeName[], name: string): Found | null {
  for (const type of types) {
    const path = resolveAttribute(type, name);
    const attribute = path === null ? undefined : attributesOnPath(type, path)?.at(-1);
    if (path !== null && attribute !== undefined) return { path, attribute };
  }
  return null;
}

function readOr(reading: Reading, depth: number): ScimFilter {
  return readOperands(reading, "or", () => readAnd(reading, depth));
}

function readAnd(reading: Reading, depth: number): ScimFilter {
  return readOperands(reading, "and", () => readTerm(reading, depth));
}

function readOperands(reading: Reading, word: "and" | "or", read: () => ScimFilter): ScimFilter {
  const operands = [read()];
  while (isWord(peek(reading), word)) {
    reading.at++;
    requireSpaces(reading);
    operands.push(read());
  }
  const [only] = operands;
  return operands.length === 1 && only !== undefined ? only : { kind: word, operands };
}

function readTerm(reading: Reading, depth: number): ScimFilter {
  if (depth > FILTER_LIMITS.depth) {
    throw createFilterError(`A filter can be nested at most ${FILTER_LIMITS.depth} levels deep.`);
  }
  const token = peek(reading);
  if (token?.kind === "(") return readGroup(reading, depth);
  if (isWord(token, "not") && reading.tokens[reading.at + 1]?.kind === "(") {
    reading.at++;
    return { kind: "not", operand: readGroup(reading, depth) };
  }
  return readAttribute(reading, depth);
}

function readGroup(reading: Reading, depth: number): ScimFilter {
  expect(reading, "(");
  const filter = readOr(reading, depth + 1);
  expect(reading, ")");
  return filter;
}

function readAttribute(reading: Reading, depth: number): ScimFilter {
  const name = peek(reading);
  if (name?.kind !== "word") throw createSyntaxError(reading);
  const found = reading.resolve(name.text);
  if (found === null) throw createFilterError(`${name.text} is not an attribute.`);
  reading.at++;
  const { path } = found;
  if (peek(reading)?.kind !== "[") return readComparison(reading, path);
  const where = readBrackets(reading, found, depth);
  const sub = readSub(reading, found);
  if (sub === undefined) throw createSyntaxError(reading);
  if (sub === null) return { kind: "some", path, where };
  // The part after the brackets applies to the same element.
  return { kind: "some", path, where: { kind: "and", operands: [where, readComparison(reading, [sub])] } };
}

/** @see RFC 7644, 3.4.2.2: valuePath. */
function readBrackets(reading: Reading, { attribute }: Found, depth: number): ScimFilter {
  if (attribute.subAttributes === undefined)
    throw createFilterError(`${attribute.name} has no sub-attributes.`);
  expect(reading, "[");
  const subAttributes = attribute.subAttributes;
  const within: Reading = {
    tokens: reading.tokens,
    at: reading.at,
    resolve: (name) => {
      const sub = findAttributeByName(subAttributes, name);
      return sub === undefined ? null : { path: [sub.name], attribute: sub };
    },
  };
  const filter = readOr(within, depth + 1);
  reading.at = within.at;
  expect(reading, "]");
  return filter;
}

/** The `.value` after brackets. Null if there is none, undefined if it is unknown. */
function readSub(reading: Reading, { attribute }: Found): string | null | undefined {
  const token = peek(reading);
  if (token?.kind !== "word" || token.spaced || !token.text.startsWith(".")) return null;
  const sub = findAttributeByName(attribute.subAttributes ?? [], token.text.slice(1));
  if (sub !== undefined) reading.at++;
  return sub?.name;
}

function readComparison(reading: Reading, path: string[]): ScimFilter {
  const operator = peek(reading);
  if (operator?.kind !== "word" || !operator.spaced) throw createSyntaxError(reading);
  const name = operator.text.toLowerCase();
  reading.at++;
  if (name === "pr") return { kind: "present", path };
  if (!isComparison(name)) throw createFilterError(`${operator.text} is not an operator.`);
  const value = peek(reading);
  if (value === undefined || !value.spaced) throw createSyntaxError(reading);
  reading.at++;
  return { kind: "compare", path, comparison: name, value: parseValue(value) };
}

function isComparison(text: string): text is FilterComparison {
  return COMPARISONS.some((comparison) => comparison === text);
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const LITERALS = new Map<string, Comparable>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Parses a value: a JSON string or number, or a case-insensitive word. @see RFC 7644, 3.4.2.2: compValue. */
function parseValue(token: Token): Comparable {
  if (token.kind === "text") return token.text;
  if (token.kind !== "word") throw createFilterError("A value is missing.");
  const literal = LITERALS.get(token.text.toLowerCase());
  if (literal !== undefined) return literal;
  if (NUMBER.test(token.text)) return Number(token.text);
  throw createFilterError(`${token.text} must be in quotes.`);
}

function peek({ tokens, at }: Reading): Token | undefined {
  return tokens[at];
}

function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === "word" && token.text.toLowerCase() === text;
}

function expect(reading: Reading, kind: Token["kind"]): void {
  if (peek(reading)?.kind !== kind) throw createSyntaxError(reading);
  reading.at++;
}

/** A keyword between two conditions must be surrounded by white space. */
function requireSpaces({ tokens, at }: Reading): void {
  if (tokens[at - 1]?.spaced !== true || tokens[at]?.spaced !== true) {
    throw createFilterError("and, or and operators must be surrounded by spaces.");
  }
}

function createSyntaxError(reading: Reading): Error {
  const token = peek(reading);
  return createFilterError(
    token === undefined ? "The filter is incomplete." : `The filter is invalid at ${token.text}`,
  );
}
