import { z } from "zod";
import { HANDLE, LIMITS } from "../../../src/domain/kernel/limits.ts";
import { STORABLE_TEXT } from "../../../src/domain/kernel/storable-text.ts";

export const uuid = z.guid("must be a UUID");

/** A time in UTC with milliseconds. */
export const dateTime = z.iso.datetime();

export const anyJson = z.unknown().describe("Any JSON value.");

/** A string of `min` to `max` characters. */
export function text(max: number, min = 1) {
  return z
    .string()
    .min(min)
    .max(max)
    .refine(...STORABLE_TEXT);
}

export function wholeNumber({ min, max }: { min: number; max: number }) {
  return z.int().min(min).max(max);
}

/** A handle of an agent, or the name of a queue. */
export const handle = z
  .string()
  .regex(
    HANDLE,
    "must be 1 to 64 characters of a-z, 0-9, dot, underscore and dash, and start with a letter or digit",
  );

export const leaseToken = z.string().min(1).max(256).describe("The lease's token, as task_claim gave it.");

/** Below the minute after which many clients give up. */
export const WAIT_SECONDS = { min: 0, max: 2 * LIMITS.pollSeconds.max };

/** The input without undefined values. */
export function omitUndefined<Input extends object>(
  input: Input,
): { [Key in keyof Input]: Exclude<Input[Key], undefined> } {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  // GraphQL treats an absent optional variable like an undefined one.
  return Object.fromEntries(entries) as { [Key in keyof Input]: Exclude<Input[Key], undefined> };
}

/** Parts of content. The use case checks them. */
export const parts = z
  .array(z.looseObject({}))
  .max(LIMITS.parts)
  .describe("Parts, each an object with exactly one of text, data (any JSON), url and raw (Base64).");

/** Text, or parts. */
export const content = z.union([text(LIMITS.partsBytes), parts]);

/** Content as parts. */
export function toParts(given: z.output<typeof content>): object[] {
  return typeof given === "string" ? [{ text: given }] : given;
}
