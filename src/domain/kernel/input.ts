import { z } from "zod";
import { fieldErrors, createValidationError } from "./field-errors.ts";
import { HANDLE, LIMITS } from "./limits.ts";
import { STORABLE_TEXT } from "./storable-text.ts";

/** What PostgreSQL can't store in text or jsonb, as JSON spells it: NUL and lone surrogates. */
const UNSTORABLE_JSON = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i;

/** Text of a length in characters, with something in it. */
export function text(max: number, min = 1) {
  return z
    .string()
    .min(min, `must have at least ${min} character${min === 1 ? "" : "s"}`)
    .max(max, `must have at most ${max} characters`)
    .refine(...STORABLE_TEXT);
}

/** Controls, and what is not seen but changes how its neighbours look; joiners are part of some scripts. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** What something is called: text of a length, without blanks around it, that looks like what it is. */
export function name(max: number) {
  return z
    .string()
    .trim()
    .pipe(
      text(max)
        .refine((value) => !UNSEEN.test(value), "must not contain control or invisible characters")
        .refine((value) => SEEN.test(value), "must have a character that can be seen"),
    );
}

/** A name that stands in letters to people who don't know its bearer: it holds no link. */
export function nameInEmails(max: number) {
  return name(max).refine((value) => !value.includes("://"), "must not contain ://");
}

/** A JSON object of at most so many bytes. */
export function jsonObject(maxBytes: number) {
  return z.record(z.string(), z.unknown(), { error: "must be an object" }).superRefine((value, context) => {
    const problem = jsonProblem(value, maxBytes);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  });
}

/** Why a value can't be kept as JSON of at most so many bytes, its numbers written without exponents, or null. */
export function jsonProblem(value: unknown, maxBytes: number): string | null {
  // Before it is written: what is nested too deep would overflow the stack there, and in PostgreSQL.
  const problem = nestedProblem(value, LIMITS.jsonDepth);
  if (problem !== null) return problem;
  const written = JSON.stringify(value) ?? "null";
  const bytes = Buffer.byteLength(written) + countAddedDigits(value);
  if (bytes > maxBytes) return `must have at most ${maxBytes} bytes as JSON`;
  return UNSTORABLE_JSON.test(written) ? "must not contain NUL or half a surrogate pair" : null;
}

/** What of a value would be lost or could not be read back, in itself or in what it holds. */
function nestedProblem(value: unknown, depth: number): string | null {
  // JSON can spell numbers that only an infinity stands for, and would give them back as null.
  if (typeof value === "number" && !Number.isFinite(value)) return "must not hold numbers beyond 1.8e308";
  if (typeof value !== "object" || value === null) return null;
  if (depth === 0) return `must be nested at most ${LIMITS.jsonDepth} deep`;
  if (Object.hasOwn(value, "__proto__")) return "must not have a member named __proto__";
  for (const inner of Object.values(value)) {
    const problem = nestedProblem(inner, depth - 1);
    if (problem !== null) return problem;
  }
  return null;
}

/** How many digits PostgreSQL adds when it writes numbers that JavaScript writes with an exponent, such as 1e308. */
function countAddedDigits(value: unknown): number {
  if (typeof value === "number") return Math.abs(Number(String(value).split("e")[1] ?? 0));
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + countAddedDigits(inner), 0);
}

/** An id in its canonical, lower-case form. */
export const uuid = z.guid("must be a UUID").transform((value) => value.toLowerCase());

/** An e-mail address; whether it is somebody's, only a letter finds out. */
export const email = text(LIMITS.emailLength).regex(
  /^[^@,;\s<>"]+@[^@,;\s<>"]+$/,
  "must be an e-mail address",
);

/** A whole number within a range. */
export function wholeNumber({ min, max }: { min: number; max: number }) {
  return z.int().min(min).max(max);
}

/** A handle, or a queue's name. */
export const handle = z
  .string()
  .regex(HANDLE, "must be 1 to 64 of a-z, 0-9, dot, underscore or dash, and start with a letter or digit");

const labelName = text(LIMITS.labelLength);
const labelsShape = z
  .record(z.string(), text(LIMITS.labelLength, 0), { error: "must be an object of texts" })
  .superRefine((value, context) => {
    if (Object.keys(value).every((key) => labelName.safeParse(key).success)) return;
    const message = `must have names of 1 to ${LIMITS.labelLength} characters`;
    context.addIssue({ code: "custom", message });
  });

/** Short texts by short names. They are counted before any of them is looked at. */
export const labels = z
  .custom<z.input<typeof labelsShape>>()
  .superRefine((value: unknown, context) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    if (Object.keys(value).length <= LIMITS.labels) return;
    context.addIssue({ code: "custom", message: `must have at most ${LIMITS.labels} entries` });
  })
  .pipe(labelsShape);

/**
 * Holds an input to its shape.
 *
 * @throws {DomainError} validation_failed with every field that breaks a rule; unknown_field for one that
 *   the shape does not know.
 */
export function parseInput<Shape extends z.ZodType>(shape: Shape, input: unknown): z.output<Shape> {
  const parsed = shape.safeParse(input);
  if (parsed.success) return parsed.data;
  throw createValidationError(fieldErrors(parsed.error));
}
