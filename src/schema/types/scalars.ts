import { GraphQLError } from "graphql";
import { builder } from "../builder.ts";

const DATE_TIME =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

builder.scalarType("DateTime", {
  description: "An instant, as RFC 3339 writes it; answered in UTC with milliseconds.",
  // Pages are read with their instants written already.
  serialize: (value) => (typeof value === "string" ? value : value.toISOString()),
  parseValue: (value) => {
    if (typeof value !== "string" || !DATE_TIME.test(value)) throw wrong("DateTime", value);
    const instant = new Date(value);
    const year = instant.getUTCFullYear();
    // Outside of these years, which an offset can reach too, neither PostgreSQL nor RFC 3339 writes it.
    if (!(year >= 1 && year <= 9999)) throw wrong("DateTime", value);
    return instant;
  },
});

builder.scalarType("Cursor", {
  description: "A place in the workspace's events, to go on from. Opaque.",
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value !== "string") throw wrong("Cursor", value);
    // What is no cursor of the workspace is refused by the verb, which names the argument.
    return value;
  },
});

builder.scalarType("UUID", {
  description: "The id that REST and SCIM show, in lower case.",
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value !== "string" || !UUID.test(value)) throw wrong("UUID", value);
    return value.toLowerCase();
  },
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
  parseValue: (value) => {
    if (typeof value !== "string") throw wrong("Scope", value);
    // An unknown scope is refused by the verb, which names it.
    return value;
  },
});

function wrong(type: string, value: unknown): GraphQLError {
  return new GraphQLError(`${JSON.stringify(value)} is not a ${type}.`);
}
