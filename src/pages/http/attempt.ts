import type { DomainError, ErrorCode } from "../../domain/kernel/errors.ts";
import { toDomainError } from "../../domain/kernel/to-domain-error.ts";

export type Attempt<Result> = { error: null; result: Result } | { error: DomainError };

/** Errors that have pages of their own instead of a message in the form. */
const ELSEWHERE: ReadonlySet<ErrorCode> = new Set([
  "unauthenticated",
  "sudo_required",
  "workspace_suspended",
]);

/** Runs a form's action, and catches errors that the form can show. */
export async function attempt<Result>(work: () => Promise<Result>): Promise<Attempt<Result>> {
  try {
    return { error: null, result: await work() };
  } catch (error) {
    const domainError = toDomainError(error);
    if (domainError === null || ELSEWHERE.has(domainError.code)) throw error;
    return { error: domainError };
  }
}
