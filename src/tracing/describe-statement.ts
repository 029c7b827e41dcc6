import type { Attributes } from "@opentelemetry/api";

const TABLE = /\b(?:FROM|INTO|UPDATE)\s+"?(?:public"?\."?)?([a-z_]+)"?/i;
const MOST_KNOWN = 2000;
const known = new Map<string, Described>();

type Described = { summary: string; attributes: Attributes };

/**
 * What a span says of a statement: what it does to its first table, and the name under which it is prepared. Never its
 * text, of which filters are a part, or its values.
 */
export function describeStatement({ name, text }: { name?: string | undefined; text: string }): Described {
  const found = known.get(text);
  if (found !== undefined) return found;
  const operation = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? "SQL";
  const table = TABLE.exec(text)?.[1];
  const summary = table === undefined ? operation : `${operation} ${table}`;
  const described = {
    summary,
    attributes: {
      "db.system.name": "postgresql",
      "db.operation.name": operation,
      "db.query.summary": summary,
      ...(table !== undefined && { "db.collection.name": table }),
      ...(name !== undefined && name !== "" && { "agent_ops.statement": name }),
    },
  };
  if (known.size < MOST_KNOWN) known.set(text, described);
  return described;
}
