import type { GraphQLError } from "graphql";
import type { GraphQLParams, Plugin } from "graphql-yoga";
import { createJsonError } from "../domain/kernel/errors.ts";
import { isObject } from "../domain/kernel/is-object.ts";
import { LIMITS } from "../domain/kernel/limits.ts";
import { type JsonProblem, parseJson } from "../http/parse-json.ts";
import { decodeUtf8 } from "../http/request-body.ts";
import { createHttpError } from "./mask-error.ts";

/**
 * Reads the GraphQL parameters: of a POST from its body, otherwise from the query string. Errors don't
 * repeat the input.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-Request
 */
export function readParams(): Plugin {
  return {
    onRequestParse: ({ url, setRequestParser }) =>
      setRequestParser((request) =>
        request.method === "POST" ? readBodyParams(request) : readQueryParams(url.searchParams),
      ),
  };
}

async function readBodyParams(request: Request): Promise<GraphQLParams> {
  const text = decodeUtf8(await request.arrayBuffer());
  if (text === null) throw createBodyError("The body must be UTF-8.");
  const params = parseJsonObject(text);
  if (params === null) throw createBodyError("The body must be a JSON object.");
  return params;
}

function readQueryParams(search: URLSearchParams): GraphQLParams {
  const [query, operationName] = ["query", "operationName"].map((name) => search.get(name) ?? undefined);
  return {
    ...(query !== undefined && { query }),
    ...(operationName !== undefined && { operationName }),
    ...parseObjectParam(search, "variables"),
    ...parseObjectParam(search, "extensions"),
  };
}

function parseObjectParam(search: URLSearchParams, name: string): Record<string, unknown> {
  const text = search.get(name);
  if (text === null || text === "") return {};
  const value = parseJsonObject(text);
  if (value === null) throw createBodyError(`\`${name}\` must be a JSON object.`);
  return { [name]: value };
}

function parseJsonObject(text: string): Record<string, unknown> | null {
  const value = parseJson(text, JSON_LIMITS);
  return isObject(value) ? value : null;
}

const JSON_LIMITS = {
  maxDepth: LIMITS.bodyDepth,
  maxContainers: LIMITS.bodyContainers,
  maxMembers: LIMITS.bodyMembers,
  maxValues: LIMITS.bodyValues,
  createError: (why: JsonProblem, limit: number) => createBodyError(createJsonError(why, limit).message),
};

function createBodyError(message: string): GraphQLError {
  return createHttpError("invalid_body", message);
}
