import { GraphQLError, type ValueNode, print, valueFromASTUntyped } from "graphql";
import { builder } from "../builder.ts";

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

builder.scalarType("DateTime", {
  description: "An instant, as RFC 3339 writes it; answered in UTC with milliseconds.",
  // Pages are read with their instants written already.
  serialize: (value) => (typeof value === "string" ? value : value.toISOString()),
  ...createTextParser("DateTime", (text) => {
    const [, day = ""] = DATE_TIME.exec(text) ?? [];
    if (!isDay(day)) return null;
    const instant = new Date(text);
    const year = instant.getUTCFullYear();
    // Outside of these years, which an offset can reach too, neither PostgreSQL nor RFC 3339 writes it.
    return year >= 1 && year <= 9999 ? instant : null;
  }),
});

builder.scalarType("Cursor", {
  description: "A place in the workspace's events, to go on from. Opaque.",
  serialize: (value) => value,
  // What is no cursor of the workspace is refused by the verb, which names the argument.
  ...createTextParser("Cursor", (text) => text),
});

builder.scalarType("UUID", {
  description: "The id that REST and SCIM show, in lower case.",
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
    "One piece of content: exactly one of `text`, `data` (any JSON), `url` and `raw` (base64), and optionally " +
    "`media_type`, `filename` and `metadata`. It is kept and answered as it was sent.",
  serialize: (value) => value,
  parseValue: (value) => value,
});

builder.scalarType("Scope", {
  description: "What a credential may do, such as `tasks:read`.",
  serialize: (value) => value,
  // An unknown scope is refused by the verb, which names it.
  ...createTextParser("Scope", (text) => text),
});

/** Whether the calendar has this day: Date takes the 30th of February for one of March. */
function isDay(day: string): boolean {
  const midnight = new Date(day);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** Reads a scalar that is written as text. A refusal names the variable's field, or tells where in the document it is. */
function createTextParser<Value>(type: string, read: (text: string) => Value | null) {
  function parse(value: unknown, refused: { shown: string; node?: ValueNode }): Value {
    const parsed = typeof value === "string" ? read(value) : null;
    if (parsed !== null) return parsed;
    const { shown, node } = refused;
    throw new GraphQLError(`${shown} is not a ${type}.`, node && { nodes: node });
  }
  return {
    parseValue: (value: unknown) => parse(value, { shown: JSON.stringify(value) }),
    parseLiteral: (node: ValueNode) => parse(valueFromASTUntyped(node), { shown: print(node), node }),
  };
}
