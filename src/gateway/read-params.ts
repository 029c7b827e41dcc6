import type { GraphQLError } from "graphql";
import type { GraphQLParams, Plugin } from "graphql-yoga";
import { textOf } from "../http/request-body.ts";
import { httpRefusal } from "./mask-error.ts";

/**
 * Reads what a request asks for: of a POST from its body, else from the query string. What can't be read is
 * refused without a word of it.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-Request
 */
export function readParams(): Plugin {
  return {
    onRequestParse: ({ url, setRequestParser }) =>
      setRequestParser((request) =>
        request.method === "POST" ? bodyParams(request) : queryParams(url.searchParams),
      ),
  };
}

async function bodyParams(request: Request): Promise<GraphQLParams> {
  const text = textOf(await request.arrayBuffer());
  if (text === null) throw unreadable("The body must be UTF-8.");
  const params = jsonObject(text);
  if (params === null) throw unreadable("The body must be a JSON object.");
  return params;
}

function queryParams(search: URLSearchParams): GraphQLParams {
  const [query, operationName] = ["query", "operationName"].map((name) => search.get(name) ?? undefined);
  return {
    ...(query !== undefined && { query }),
    ...(operationName !== undefined && { operationName }),
    ...objectIn(search, "variables"),
    ...objectIn(search, "extensions"),
  };
}

function objectIn(search: URLSearchParams, name: string): Record<string, unknown> {
  const text = search.get(name);
  if (text === null || text === "") return {};
  const value = jsonObject(text);
  if (value === null) throw unreadable(`\`${name}\` must be a JSON object.`);
  return { [name]: value };
}

function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    // An object that JSON wrote has such entries.
    return typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function unreadable(message: string): GraphQLError {
  return httpRefusal("invalid_body", message);
}
