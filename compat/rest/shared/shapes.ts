import { z } from "@hono/zod-openapi";
import { HANDLE, LIMITS } from "../../../src/domain/kernel/limits.ts";
import { STORABLE_TEXT } from "../../../src/domain/kernel/storable-text.ts";
import { SCOPES } from "../../../src/domain/kernel/scopes.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";

const CONTENTS = ["text", "data", "url", "raw"];

/** An id. */
export const uuid = z.guid("must be a UUID").openapi({ example: "0199f0c2-7d5a-7cc1-9a51-0d6b2f1e8a44" });

/** An instant in UTC with milliseconds. */
export const dateTime = z.iso.datetime().openapi({ example: "2026-11-21T10:00:45.000Z" });

/** An instant as callers write it, in the years that four digits tell. */
export const newDateTime = z.iso
  .datetime({ offset: true, error: "must be an RFC 3339 date and time with its zone" })
  .refine((text) => {
    const year = new Date(text).getUTCFullYear();
    // What is no date at all has been refused already.
    return !(year < 1 || year > 9999);
  }, "must be in the years 1 to 9999")
  .openapi({ example: "2026-11-21T10:00:45Z" });

/** Text of a length in characters. */
export function text(max: number, min = 1) {
  return z
    .string()
    .min(min)
    .max(max)
    .refine(...STORABLE_TEXT);
}

/** A whole number within a range. */
export function wholeNumber({ min, max }: { min: number; max: number }) {
  return z.int().min(min).max(max);
}

/** A number within a range. */
export function numberWithin({ min, max }: { min: number; max: number }) {
  return z.number().min(min).max(max);
}

/** The share of something that is done. */
export const share = numberWithin({ min: 0, max: 1 });

/** Why somebody does something, in a person's words. */
export const reason = text(LIMITS.textLength);

/** A handle, or a queue's name. */
export const handle = z
  .string()
  .regex(HANDLE, "must be 1 to 64 of a-z, 0-9, dot, underscore or dash, and start with a letter or digit");

/** What the names of labels are, which the library's types don't let a schema say. */
const LABEL_NAMES: object = { propertyNames: { minLength: 1, maxLength: LIMITS.labelLength } };

/** Short texts by short names. */
export const labels = z
  .record(z.string(), text(LIMITS.labelLength, 0))
  .refine(
    (value) => Object.keys(value).every((name) => name !== "" && name.length <= LIMITS.labelLength),
    `must have names of 1 to ${LIMITS.labelLength} characters`,
  )
  .refine((value) => Object.keys(value).length <= LIMITS.labels, `must have at most ${LIMITS.labels} entries`)
  .openapi({ maxProperties: LIMITS.labels, ...LABEL_NAMES });

/** A JSON object of the caller's own members. */
export function jsonObject(maxBytes: number) {
  return z
    .record(z.string(), z.unknown())
    .openapi({ description: `Your own members, at most ${maxBytes} bytes as JSON.` });
}

/** What a new credential may do. What is wrong with the list is told as `invalid_scope`, by its use case. */
export const newScopes = z
  .array(z.string().openapi({ enum: [...SCOPES] }))
  .openapi({ minItems: 1, uniqueItems: true });

/** One piece of content, given back as it was sent. */
export const part = z
  .strictObject({
    text: z.string().optional(),
    data: z.unknown().optional(),
    url: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
    raw: z.base64("must be base64").optional().openapi({ pattern: "^[A-Za-z0-9+/]*={0,2}$" }),
    media_type: text(LIMITS.nameLength).optional(),
    filename: text(LIMITS.titleLength).optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  })
  .refine(
    (value) => CONTENTS.filter((name) => Object.hasOwn(value, name)).length === 1,
    `must have exactly one of ${CONTENTS.join(", ")}`,
  )
  .openapi("Part", {
    description: "Exactly one of text, data (any JSON), url and raw (base64), and what describes it.",
    example: { text: "Refund order 42." },
    oneOf: CONTENTS.map((name) => ({ required: [name] })),
  });

/** Any JSON value. */
export const anyJson = z.unknown().openapi({ description: "Any JSON value." });

/** Spells an enum as the wire does. */
export function toWireEnum<Name extends string>(name: Name): Lowercase<Name> {
  // toLowerCase() is Lowercase<> for the ASCII names of GraphQL.
  return name.toLowerCase() as Lowercase<Name>;
}

/** Spells an enum as GraphQL does. */
export function toGraphqlEnum<Name extends string>(name: Name): Uppercase<Name> {
  // toUpperCase() is Uppercase<> for the ASCII names of the wire.
  return name.toUpperCase() as Uppercase<Name>;
}

/** An input without what the caller left out. */
export function omitUndefined<Input extends object>(
  input: Input,
): { [Key in keyof Input]: Exclude<Input[Key], undefined> } {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  // Absent and undefined are the same to GraphQL's optional variables.
  return Object.fromEntries(entries) as { [Key in keyof Input]: Exclude<Input[Key], undefined> };
}

/** The Relay id of a node that a body names by its uuid, or null where it names none. */
export function nodeId(typename: string, id: string | null | undefined): string | null {
  return typeof id === "string" ? toGlobalId(typename, id.toLowerCase()) : null;
}

/** A request with a body of this shape. */
export function createBody<Shape extends z.ZodType>(schema: Shape) {
  return { body: { content: { "application/json": { schema } }, required: true } };
}

const noFields = z.strictObject({}).openapi("NoFields", { description: "Nothing, or an empty object." });

/** A request with a body in which nothing can be asked for. */
export const noBody = { body: { content: { "application/json": { schema: noFields } }, required: false } };
