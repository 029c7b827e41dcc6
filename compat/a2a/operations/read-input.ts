import { z } from "zod";
import { fieldErrors } from "../../../src/domain/kernel/field-errors.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { createParamsError, createUnknownTaskError } from "../a2a-error.ts";

/**
 * Reads a request message. Members that the protocol doesn't name are ignored.
 *
 * @throws {A2aError} INVALID_PARAMS.
 */
export function readInput<Shape extends z.ZodType>(shape: Shape, input: unknown): z.output<Shape> {
  const parsed = shape.safeParse(input);
  if (parsed.success) return parsed.data;
  throw createParamsError(fieldErrors(parsed.error));
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reads the id of a task. Ours are UUIDs; any other text is an unknown id.
 *
 * @throws {A2aError} TASK_NOT_FOUND.
 */
export function readTaskId(id: string): string {
  if (UUID.test(id)) return id.toLowerCase();
  throw createUnknownTaskError();
}

/** A text that may be left out. Protocol buffers know no difference between an empty text and none. */
export const optionalText = z
  .string()
  .nullish()
  .transform((value) => (value === "" || value === null ? undefined : value));

/** The context of tasks: one of our conversations. */
export const optionalContextId = optionalText.refine(
  (value) => value === undefined || UUID.test(value),
  "is not an id of ours: leave it out for a new context",
);

/** A number, also as text, as in a query. */
export function optionalNumber({ min, max }: { min: number; max: number }) {
  return z
    .preprocess((value) => (isDigits(value) ? Number(value) : value), z.int().min(min).max(max).nullish())
    .transform((value) => value ?? undefined);
}

function isDigits(value: unknown): value is string {
  return typeof value === "string" && /^-?\d{1,10}$/.test(value);
}

/** A boolean, also as text, as in a query. */
export const optionalBoolean = z
  .preprocess((value) => BOOLEANS.get(value) ?? value, z.boolean().nullish())
  .transform((value) => value ?? false);

const BOOLEANS = new Map<unknown, boolean>([
  ["true", true],
  ["false", false],
]);

/** How many of the newest messages of a task are asked for. */
export const historyLength = optionalNumber({ min: 0, max: LIMITS.wholeNumber });
