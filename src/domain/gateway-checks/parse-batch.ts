import { z } from "zod";
import { DomainError, createFieldError } from "../kernel/errors.ts";
import { isObject } from "../kernel/is-object.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type AccessRequest, parseAs, parseRequestJson, requestParts } from "./parse-request.ts";

const SEMANTICS = ["execute_all", "deny_on_first_deny", "permit_on_first_permit"] as const;

const many = z
  .array(z.unknown())
  .min(1, "must have at least 1 request")
  .max(LIMITS.checkedRequests, `must have at most ${LIMITS.checkedRequests} requests`);

const shape = z.object({
  evaluations: many,
  options: z.object({ evaluations_semantic: z.enum(SEMANTICS).default("execute_all") }).prefault({}),
});

const item = z.object(requestParts);

/** Requests to check in their order. */
export type Batch = {
  semantic: (typeof SEMANTICS)[number];
  /** A request, or why it is none. */
  requests: (AccessRequest | DomainError)[];
};

/**
 * Parses requests that share defaults. A default stands in for a whole member that a request doesn't have.
 *
 * @throws {DomainError} payload_too_large; invalid_body for text that is not JSON; validation_failed for
 *   values that could be understood in two ways, too many requests and invalid options.
 * @see https://openid.net/specs/authorization-api-1_0.html#name-access-evaluations-api
 */
export function parseBatch(json: string): Batch {
  const value = parseRequestJson(json);
  const { evaluations, options } = parseAs(shape, value);
  // The shape is that of an object.
  const defaults = value as Record<string, unknown>;
  return {
    semantic: options.evaluations_semantic,
    requests: evaluations.map((one) => parseItem(defaults, one)),
  };
}

function parseItem(defaults: Record<string, unknown>, given: unknown): AccessRequest | DomainError {
  if (!isObject(given)) return createFieldError("request", "must be an object");
  const entries = Object.keys(requestParts).map((part) => [
    part,
    Object.hasOwn(given, part) ? given[part] : defaults[part],
  ]);
  try {
    return parseAs(item, Object.fromEntries(entries));
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
