import { type DomainError, ERRORS, type ErrorCode } from "../../src/domain/kernel/errors.ts";
import { toWireName, toWirePath } from "../../src/http/wire-name.ts";
import type { Result } from "./method.ts";

/** Errors after which no other call has a chance: they answer the request instead of the tool. */
const OF_CREDENTIAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "unauthenticated",
  "invalid_token",
  "workspace_suspended",
  "ip_not_allowed",
]);

export function isOfCredential({ code }: DomainError): boolean {
  return OF_CREDENTIAL.has(code);
}

/** What a tool answers if it could not do what was asked. */
export function toToolError({ code, message, details }: DomainError): Result {
  // A message about a field begins with its name.
  const detail = message.replace(/^[A-Za-z]+/, toWireName);
  const problem = {
    status: ERRORS[code].status,
    code,
    detail,
    ...(details.field !== undefined && { field: toWirePath(details.field) }),
    ...(details.errors !== undefined && {
      errors: details.errors.map((one) => ({ field: toWirePath(one.field), detail: one.detail })),
    }),
    ...(details.currentStatus !== undefined && { current_status: details.currentStatus }),
    ...(details.executionId !== undefined && { execution_id: details.executionId }),
    ...(details.budget !== undefined && { budget: details.budget }),
    ...(details.quota !== undefined && {
      quota: {
        name: details.quota.name,
        limit: details.quota.limit,
        used: details.quota.used,
        resets_in_s: details.quota.resetsInSeconds,
      },
    }),
    ...(details.retryAfterSeconds !== undefined && { retry_after_s: details.retryAfterSeconds }),
  };
  return {
    content: [{ type: "text", text: `${code}: ${detail}` }],
    isError: true,
    _meta: { "agent-ops/problem": problem },
  };
}
