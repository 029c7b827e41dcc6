import { GraphQLError, type ValueNode, print, valueFromASTUntyped } from "graphql";
import { builder } from "../builder.ts";

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** As many as costs are stored with. */
const DOLLAR_DIGITS = 12;

builder.scalarType("DateTime", {
  description: "An instant in RFC 3339. Returned in UTC with milliseconds.",
  // Rows of pages have their instants as strings.
  serialize: (value) => (typeof value === "string" ? value : value.toISOString()),
  ...createTextParser("DateTime", (text) => {
    const [, day = ""] = DATE_TIME.exec(text) ?? [];
    if (!isDay(day)) return null;
    const instant = new Date(text);
    const year = instant.getUTCFullYear();
    // PostgreSQL and RFC 3339 don't represent other years, which an offset can reach.
    return year >= 1 && year <= 9999 ? instant : null;
  }),
});

builder.scalarType("Decimal", {
  description: "A number as text, so that all its digits are kept.",
  serialize: (value) => (typeof value === "string" ? value : value.toFixed(DOLLAR_DIGITS)),
});

builder.scalarType("Cursor", {
  description: "A position in the workspace's events. Opaque.",
  serialize: (value) => value,
  // The use case validates cursors, to name the argument in its error.
  ...createTextParser("Cursor", (text) => text),
});

builder.scalarType("UUID", {
  description: "The id in REST and SCIM, in lower case.",
  serialize: (value) => value,
  ...createTextParser("UUID", (text) => (UUID.test(text) ? text.toLowerCase() : null)),
});

builder.scalarType("JSON", {
  description: "Any JSON value.",
  serialize: (value) => value,
  parseValue: (value) => value,
});

builder.scalarType("Part", {
  description:
    "One piece of content: exactly one of `text`, `data` (any JSON), `url` and `raw` (base64), and " +
    "optionally `media_type`, `filename` and `metadata`. Stored and returned unchanged.",
  serialize: (value) => value,
  parseValue: (value) => value,
});

builder.scalarType("Scope", {
  description: "What a credential may do, such as `tasks:read`.",
  serialize: (value) => value,
  // The use case validates scopes, to name the unknown one in its error.
  ...createTextParser("Scope", (text) => text),
});

/** Whether the day exists. Date reads 30 February as a day in March. */
function isDay(day: string): boolean {
  const midnight = new Date(day);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** Parses a scalar that is a string. An error for a literal includes its location in the document. */
function createTextParser<Value>(type: string, read: (text: string) => Value | null) {
  function parse(value: unknown, source: { shown: string; node?: ValueNode }): Value {
    const parsed = typeof value === "string" ? read(value) : null;
    if (parsed !== null) return parsed;
    const { shown, node } = source;
    throw new GraphQLError(`${shown} is not a valid ${type}.`, node && { nodes: node });
  }
  return {
    parseValue: (value: unknown) => parse(value, { shown: JSON.stringify(value) }),
    parseLiteral: (node: ValueNode) => parse(valueFromASTUntyped(node), { shown: print(node), node }),
  };
}
