import type { ErrorObject } from "ajv";
import type { SchemaProblem } from "./schema-rules.ts";

/** The longest value or name in a message. */
const MAX_SHOWN = 200;

type ErrorParams = Record<string, unknown>;

/**
 * Describes a validator's errors in our own words.
 *
 * @param errors as Ajv collects them: the outermost last.
 */
export function valueProblem(errors: readonly ErrorObject[]): SchemaProblem {
  // For `if`, the error of `then` or `else` says more.
  const error = errors.findLast(({ keyword }) => keyword !== "if");
  if (error === undefined) return { path: [], detail: "is not valid" };
  const params: ErrorParams = error.params;
  const path = error.instancePath.split("/").slice(1).map(unescapePointer);
  const member = getMember(params);
  const detail = WORDS[error.keyword]?.(params) ?? "does not match the declared schema";
  return { path: (member === null ? path : [...path, member]).map(cut), detail };
}

/** Returns the invalid or missing property, if the error is reported for its parent. */
function getMember(params: ErrorParams): string | null {
  const named = [
    params["missingProperty"],
    params["additionalProperty"],
    params["unevaluatedProperty"],
    params["propertyName"],
  ].find((one) => typeof one === "string");
  return typeof named === "string" ? named : null;
}

const BOUNDS: Record<string, string> = {
  ">=": "at least",
  "<=": "at most",
  ">": "more than",
  "<": "less than",
};

function describeBound({ comparison, limit }: ErrorParams): string {
  return `must be ${BOUNDS[String(comparison)] ?? "within"} ${formatValue(limit)}`;
}

function count(one: string, many: string, how: "at least" | "at most") {
  return ({ limit }: ErrorParams) => `must have ${how} ${formatValue(limit)} ${limit === 1 ? one : many}`;
}

const characters = ["character", "characters"] as const;
const entries = ["entry", "entries"] as const;
const members = ["member", "members"] as const;

const WORDS: Record<string, (params: ErrorParams) => string> = {
  type: ({ type }) => `must be of the type ${(Array.isArray(type) ? type : [type]).join(" or ")}`,
  required: () => "is required",
  dependentRequired: ({ property }) => `is required if ${formatValue(property)} is present`,
  dependencies: ({ property }) => `is required if ${formatValue(property)} is present`,
  additionalProperties: () => "is not declared",
  unevaluatedProperties: () => "is not declared",
  propertyNames: () => "has a property name that is not declared",
  "false schema": () => "is not allowed",
  enum: ({ allowedValues }) => `must be one of ${formatValue(allowedValues)}`,
  const: ({ allowedValue }) => `must be ${formatValue(allowedValue)}`,
  minimum: describeBound,
  maximum: describeBound,
  exclusiveMinimum: describeBound,
  exclusiveMaximum: describeBound,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${formatValue(multipleOf)}`,
  minLength: count(...characters, "at least"),
  maxLength: count(...characters, "at most"),
  minItems: count(...entries, "at least"),
  maxItems: count(...entries, "at most"),
  items: count(...entries, "at most"),
  additionalItems: count(...entries, "at most"),
  unevaluatedItems: ({ len }) => count(...entries, "at most")({ limit: len }),
  minProperties: count(...members, "at least"),
  maxProperties: count(...members, "at most"),
  pattern: ({ pattern }) => `must match ${formatValue(pattern)}`,
  uniqueItems: () => "must not have duplicate entries",
  contains: ({ minContains }) => `must have at least ${formatValue(minContains)} of the declared entries`,
  anyOf: () => "must match one of the declared schemas",
  oneOf: () => "must match exactly one of the declared schemas",
  not: () => "must not match the declared schema",
};

function formatValue(value: unknown): string {
  const written = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return written.length > MAX_SHOWN ? "what is declared" : written;
}

function cut(name: string): string {
  return name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
}

function unescapePointer(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}
