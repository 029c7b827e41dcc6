import { z } from "@hono/zod-openapi";
import { toGlobalId } from "../../src/schema/global-id.ts";

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

/** One piece of content, given back as it was sent. */
export const part = z.looseObject({}).openapi("Part", {
  description:
    "Exactly one of text, data, url and raw (base64), and optionally media_type, filename, metadata.",
  example: { text: "Refund order 42." },
});

/** Any JSON value. */
export const anyJson = z.unknown().openapi({ description: "Any JSON value." });

/** Spells an enum as the wire does. */
export function lower<Name extends string>(name: Name): Lowercase<Name> {
  // toLowerCase() is Lowercase<> for the ASCII names of GraphQL.
  return name.toLowerCase() as Lowercase<Name>;
}

/** Spells an enum as GraphQL does. */
export function upper<Name extends string>(name: Name): Uppercase<Name> {
  // toUpperCase() is Uppercase<> for the ASCII names of the wire.
  return name.toUpperCase() as Uppercase<Name>;
}

/** An input without what the caller left out. */
export function given<Input extends object>(
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
export function bodyOf<Shape extends z.ZodType>(schema: Shape) {
  return { body: { content: { "application/json": { schema } }, required: true } };
}
