import { z } from "zod";
import { fieldErrors, createValidationError } from "./field-errors.ts";
import { fewMembers } from "./few-members.ts";
import { isObject } from "./is-object.ts";
import { HANDLE, LIMITS } from "./limits.ts";
import { STORABLE_TEXT } from "./storable-text.ts";

/** Matches JSON escapes that PostgreSQL can't store in text or jsonb: NUL and unpaired surrogates. */
const UNSTORABLE_JSON = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i;

/** A string with a length in characters, and not only blanks. */
export function text(max: number, min = 1) {
  return z
    .string()
    .min(min, `must have at least ${min} character${min === 1 ? "" : "s"}`)
    .max(max, `must have at most ${max} characters`)
    .refine(...STORABLE_TEXT);
}

/**
 * Control characters, and invisible ones that change how others look. Joiners are allowed, because some
 * scripts need them.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A visible name of a limited length, without surrounding blanks. */
export function name(max: number) {
  return z
    .string()
    .trim()
    .pipe(
      text(max)
        .refine((value) => !UNSEEN.test(value), "must not contain control or invisible characters")
        .refine((value) => SEEN.test(value), "must have a visible character"),
    );
}

/** A name that is shown in emails to people who may not know its owner: without links. */
export function nameInEmails(max: number) {
  return name(max).refine((value) => !value.includes("://"), "must not contain ://");
}

/** A JSON object of at most this many bytes. */
export function jsonObject(maxBytes: number) {
  // Not a record, which would copy every member before their number is known.
  return z.custom<Record<string, unknown>>(isObject, "must be an object").superRefine((value, context) => {
    const problem = jsonProblem(value, maxBytes);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  });
}

/**
 * Returns why a value can't be stored as JSON of at most this many bytes, with its numbers written without
 * exponents; null if it can.
 */
export function jsonProblem(value: unknown, maxBytes: number): string | null {
  // Checked first: deep nesting would overflow the stack of JSON.stringify and of PostgreSQL.
  const tooLarge = `must have at most ${maxBytes} bytes as JSON`;
  const problem = nestedProblem(value, { depth: LIMITS.jsonDepth, left: { values: maxBytes }, tooLarge });
  if (problem !== null) return problem;
  const written = JSON.stringify(value) ?? "null";
  const bytes = Buffer.byteLength(written);
  if (bytes > maxBytes || bytes + countAddedDigits(value) > maxBytes) return tooLarge;
  return UNSTORABLE_JSON.test(written) ? "must not contain NUL or an unpaired surrogate" : null;
}

/** Each value takes at least a byte. `left` is shared by all depths. */
type Nesting = { depth: number; left: { values: number }; tooLarge: string };

/** Finds a value, at any depth, that would be lost or could not be read back, and stops at too many values. */
function nestedProblem(value: unknown, { depth, left, tooLarge }: Nesting): string | null {
  // JSON can contain numbers that JavaScript reads as Infinity and would write as null.
  if (typeof value === "number" && !Number.isFinite(value)) return "must not contain numbers beyond 1.8e308";
  left.values--;
  if (left.values < 0) return tooLarge;
  if (typeof value !== "object" || value === null) return null;
  if (depth === 0) return `must be nested at most ${LIMITS.jsonDepth} levels deep`;
  if (Object.hasOwn(value, "__proto__")) return "must not have a property named __proto__";
  const below = { depth: depth - 1, left, tooLarge };
  for (const inner of Object.values(value)) {
    const problem = nestedProblem(inner, below);
    if (problem !== null) return problem;
  }
  return null;
}

/** Counts the digits that PostgreSQL adds when it writes numbers without an exponent, such as 1e308. */
export function countAddedDigits(value: unknown): number {
  if (typeof value === "number") return Math.abs(Number(String(value).split("e")[1] ?? 0));
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + countAddedDigits(inner), 0);
}

/** A UUID, converted to lower case. */
export const uuid = z.guid("must be a UUID").transform((value) => value.toLowerCase());

/** An email address. Whether it exists is only known once it receives an email. */
export const email = text(LIMITS.emailLength).regex(
  /^[^@,;\s<>"]+@[^@,;\s<>"]+$/,
  "must be an email address",
);

export function wholeNumber({ min, max }: { min: number; max: number }) {
  return z.int().min(min).max(max);
}

/** A handle or a queue's name. */
export const handle = z
  .string()
  .regex(
    HANDLE,
    "must be 1 to 64 characters of a-z, 0-9, dot, underscore or dash, and start with a letter or digit",
  );

const labelName = text(LIMITS.labelLength);
const labelsShape = z
  .record(z.string(), text(LIMITS.labelLength, 0), { error: "must be an object of strings" })
  .superRefine((value, context) => {
    if (Object.keys(value).every((key) => labelName.safeParse(key).success)) return;
    const message = `must have names of 1 to ${LIMITS.labelLength} characters`;
    context.addIssue({ code: "custom", message });
  });

/** Short strings by short names. */
export const labels = fewMembers<z.input<typeof labelsShape>>(LIMITS.labels, "entries").pipe(labelsShape);

/**
 * Parses an input.
 *
 * @throws {DomainError} validation_failed with all invalid fields; unknown_field for unknown ones.
 */
export function parseInput<Shape extends z.ZodType>(shape: Shape, input: unknown): z.output<Shape> {
  const parsed = shape.safeParse(input);
  if (parsed.success) return parsed.data;
  throw createValidationError(fieldErrors(parsed.error));
}
