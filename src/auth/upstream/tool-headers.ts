import { isObject } from "../../domain/kernel/is-object.ts";

/** A token of HTTP. */
const TOKEN = /^[!#$%&'*+.^`|~\w-]{1,64}$/;
/** Text that a header can carry as it is. */
const PLAIN = /^(?!=\?base64\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const DEEPEST = 8;

type Called = { name: string; arguments: unknown; definition: unknown };

/**
 * The headers that repeat which tool a message calls, and those of its arguments that the definition wants there. They
 * are written anew, so that they say what was decided about.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export function buildToolHeaders({ name, arguments: args, definition }: Called): Record<string, string> {
  const schema = isObject(definition) ? definition["inputSchema"] : null;
  const parameters = listParameters(schema, args, DEEPEST);
  return { "mcp-method": "tools/call", "mcp-name": encode(name), ...Object.fromEntries(parameters) };
}

function listParameters(schema: unknown, value: unknown, depth: number): [string, string][] {
  const properties = isObject(schema) ? schema["properties"] : null;
  if (!isObject(properties) || !isObject(value) || depth === 0) return [];
  return Object.entries(properties).flatMap(([member, of]) => {
    const given = Object.hasOwn(value, member) ? value[member] : undefined;
    const header = isObject(of) ? of["x-mcp-header"] : undefined;
    if (typeof header !== "string" || !TOKEN.test(header)) return listParameters(of, given, depth - 1);
    return isPrimitive(given) ? [[`mcp-param-${header.toLowerCase()}`, encode(String(given))]] : [];
  });
}

function isPrimitive(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function encode(text: string): string {
  return PLAIN.test(text) ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
