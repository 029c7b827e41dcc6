import { z } from "zod";
import { DomainError, type FieldError } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import { findNearest } from "./find-nearest.ts";

type Issue = Parameters<z.core.$ZodErrorMap>[0];

z.config({ customError: explain });

/** Describes an issue in our own words. For unknown fields, suggests known names. */
function explain(issue: Issue): string {
  if (issue.input === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${describeRange(issue) ?? TYPES[issue.expected] ?? "of another type"}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "too_small":
    case "too_big":
      return describeSize(issue);
    case "unrecognized_keys":
      return getKnownNames(issue).join(" ");
    case "invalid_key":
      return "has a name that is not allowed";
    default:
      return "has an invalid format";
  }
}

const TYPES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  date: "a date",
};

type Sized = Extract<Issue, { code: "too_small" | "too_big" }>;

function describeSize(issue: Sized): string {
  const range = describeRange(issue);
  if (range !== null) return `must be ${range}`;
  const [least, limit] =
    issue.code === "too_small" ? ["at least", issue.minimum] : ["at most", issue.maximum];
  const [one, more] = UNITS[issue.origin] ?? [];
  if (one === undefined) return `must be ${least} ${String(limit)}`;
  return `must have ${least} ${String(limit)} ${Number(limit) === 1 ? one : more}`;
}

const UNITS: Record<string, [string, string]> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
};

/** Describes a number's type, with its range if it has both bounds: `a whole number from 0 to 9`. */
function describeRange({ inst, schema }: Issue): string | null {
  const owner = schema ?? inst;
  if (!(owner instanceof z.ZodNumber)) return null;
  const { minValue: min, maxValue: max, isInt } = owner;
  const kind = isInt ? "a whole number" : "a number";
  return min === null || max === null || !Number.isFinite(max - min) ? kind : `${kind} from ${min} to ${max}`;
}

function getKnownNames({ inst }: Issue): string[] {
  return inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
}

/** Formats a field's path. Names from the caller may have any length, so they are truncated. */
function formatPath(path: readonly PropertyKey[]): string {
  const text = path.map(String).join(".");
  return text.length > LIMITS.fieldLength ? `${text.slice(0, LIMITS.fieldLength)}…` : text;
}

/** A problem of a field, and whether the field is unknown. */
type InputError = FieldError & { isUnknown?: boolean };

/**
 * Lists the fields that zod rejected, as paths such as `parts.0.text`, unknown fields first. At most a
 * hundred: a body may have half a million wrong ones.
 */
export function fieldErrors({ issues }: z.core.$ZodError): InputError[] {
  const unknown = issues.flatMap(listUnknownFields).slice(0, LIMITS.fieldErrors).map(toUnknownFieldError);
  const others = issues.filter(({ code }) => code !== "unrecognized_keys").slice(0, LIMITS.fieldErrors);
  const broken = others.map(({ path, message }) => ({ field: formatPath(path), detail: message }));
  return [...unknown, ...broken].slice(0, LIMITS.fieldErrors);
}

type Unknown = { path: readonly PropertyKey[]; name: string; known: readonly string[] };

function listUnknownFields(issue: z.core.$ZodIssue): Unknown[] {
  if (issue.code !== "unrecognized_keys") return [];
  const known = issue.message.split(" ");
  return issue.keys
    .slice(0, LIMITS.fieldErrors)
    .map((name) => ({ path: [...issue.path, name], name, known }));
}

function toUnknownFieldError({ path, name, known }: Unknown): InputError {
  const meant = findNearest(name, known);
  const detail = meant === null ? "is unknown" : `is unknown: did you mean ${meant}?`;
  return { field: formatPath(path), detail, isUnknown: true };
}

/** The error for invalid fields of a body. */
export function createValidationError(errors: InputError[]): DomainError {
  return createFieldsError(errors[0]?.isUnknown === true ? "unknown_field" : "validation_failed", errors);
}

/** An error with any code that lists fields. */
export function createFieldsError(
  code: "unknown_field" | "validation_failed" | "invalid_parameter",
  errors: FieldError[],
): DomainError {
  const [first] = errors;
  const message = first === undefined ? "The input is not valid." : formatMessage(first);
  return new DomainError(code, message, {
    ...(first !== undefined && first.field !== "" && { field: first.field }),
    errors: errors.slice(0, LIMITS.fieldErrors).map(({ field, detail }) => ({ field, detail })),
  });
}

function formatMessage({ field, detail }: FieldError): string {
  return field === "" ? detail : `${field}: ${detail}`;
}
