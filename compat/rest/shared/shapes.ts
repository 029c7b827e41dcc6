import { z } from "@hono/zod-openapi";
import { isObject } from "../../../src/domain/kernel/is-object.ts";
import { HANDLE, LIMITS } from "../../../src/domain/kernel/limits.ts";
import { STORABLE_TEXT } from "../../../src/domain/kernel/storable-text.ts";
import { SCOPES } from "../../../src/domain/kernel/scopes.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";

const CONTENTS = ["text", "data", "url", "raw"];

export const uuid = z.guid("must be a UUID").openapi({ example: "0199f0c2-7d5a-7cc1-9a51-0d6b2f1e8a44" });

/** A time in UTC with milliseconds. */
export const dateTime = z.iso.datetime().openapi({ example: "2026-11-21T10:00:45.000Z" });

/** A time as callers may write it, in the years 1 to 9999. */
export const newDateTime = z.iso
  .datetime({ offset: true, error: "must be an RFC 3339 date and time with a time zone" })
  .refine((text) => {
    const year = new Date(text).getUTCFullYear();
    // Invalid dates were rejected above.
    return !(year < 1 || year > 9999);
  }, "must be between the years 1 and 9999")
  .openapi({ example: "2026-11-21T10:00:45Z" });

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

export function numberWithin({ min, max }: { min: number; max: number }) {
  return z.number().min(min).max(max);
}

/** A fraction from 0 to 1. */
export const share = numberWithin({ min: 0, max: 1 });

/** The reason a person or agent gives for an action. */
export const reason = text(LIMITS.textLength);

/** A handle of an agent, or the name of a queue. */
export const handle = z
  .string()
  .regex(
    HANDLE,
    "must be 1 to 64 characters of a-z, 0-9, dot, underscore and dash, and start with a letter or digit",
  );

/** `propertyNames` is missing from the library's types. */
const LABEL_NAMES: object = { propertyNames: { minLength: 1, maxLength: LIMITS.labelLength } };

/** The use case checks the names and values. */
export const labels = z
  .custom<Record<string, string>>(isObject, "must be an object of strings")
  .refine((value) => Object.keys(value).length <= LIMITS.labels, `must have at most ${LIMITS.labels} entries`)
  .openapi({
    type: "object",
    additionalProperties: { type: "string", maxLength: LIMITS.labelLength },
    maxProperties: LIMITS.labels,
    ...LABEL_NAMES,
  });

/** The use case checks the size. */
export function jsonObject(maxBytes: number) {
  return z.custom<Record<string, unknown>>(isObject, "must be an object").openapi({
    type: "object",
    additionalProperties: {},
    description: `Any JSON object of at most ${maxBytes} bytes.`,
  });
}

/** Scopes of a new credential. The use case checks the values, so that the error is `invalid_scope`. */
export const newScopes = z
  .array(z.string().openapi({ enum: [...SCOPES] }))
  .max(SCOPES.length)
  .openapi({ minItems: 1, uniqueItems: true });

/** One part of content, returned as it was sent. */
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
    description:
      "Exactly one of `text`, `data` (any JSON), `url` and `raw` (base64), with optional metadata.",
    example: { text: "Refund order 42." },
    oneOf: CONTENTS.map((name) => ({ required: [name] })),
  });

export const traceparent = z.string().openapi({
  description: "The parent of the work's spans, as a W3C traceparent.",
  example: "00-01a202f4a2787f20b88d5d073a9b37dd-c5f7401e4d64cbec-01",
});

export const anyJson = z.unknown().openapi({ description: "Any JSON value." });

/** Converts a GraphQL enum value to its REST spelling. */
export function toWireEnum<Name extends string>(name: Name): Lowercase<Name> {
  // toLowerCase() is Lowercase<> for the ASCII names of GraphQL enums.
  return name.toLowerCase() as Lowercase<Name>;
}

/** Converts a REST enum value to its GraphQL spelling. */
export function toGraphqlEnum<Name extends string>(name: Name): Uppercase<Name> {
  // toUpperCase() is Uppercase<> for the ASCII names of GraphQL enums.
  return name.toUpperCase() as Uppercase<Name>;
}

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type GraphqlNames<Fields> = { [Name in keyof Fields as CamelCase<Name & string>]: Fields[Name] };

/** Names fields as GraphQL does: `max_attempts` becomes `maxAttempts`. Names within them are the caller's own. */
export function toGraphqlNames<Fields extends object>(fields: Fields): GraphqlNames<Fields> {
  const entries = Object.entries(fields).map(([name, value]: [string, unknown]) => [
    name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
    value,
  ]);
  // The type says of each name what the replacement does.
  return Object.fromEntries(entries) as GraphqlNames<Fields>;
}

/** The input without undefined values. */
export function omitUndefined<Input extends object>(
  input: Input,
): { [Key in keyof Input]: Exclude<Input[Key], undefined> } {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  // GraphQL treats an absent optional variable like an undefined one.
  return Object.fromEntries(entries) as { [Key in keyof Input]: Exclude<Input[Key], undefined> };
}

/** The global id of a node named by its UUID, or null. */
export function nodeId(typename: string, id: string | null | undefined): string | null {
  return typeof id === "string" ? toGlobalId(typename, id.toLowerCase()) : null;
}

/** A required JSON body. */
export function createBody<Shape extends z.ZodType>(schema: Shape) {
  return { body: { content: { "application/json": { schema } }, required: true } };
}

const noFields = z.strictObject({}).openapi("NoFields", { description: "No body, or an empty object." });

/** For routes that take no fields. */
export const noBody = { body: { content: { "application/json": { schema: noFields } }, required: false } };
