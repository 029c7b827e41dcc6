import type { DomainError, ErrorCode } from "../../domain/kernel/errors.ts";
import { toDomainError } from "../../domain/kernel/to-domain-error.ts";

/** What came of an act that a form asked for. */
export type Attempt<Result> = { error: null; result: Result } | { error: DomainError };

/** Refusals that no form can be shown again for: they have pages of their own. */
const ELSEWHERE: ReadonlySet<ErrorCode> = new Set([
  "unauthenticated",
  "sudo_required",
  "workspace_suspended",
]);

/** Does what a form asks for, and catches what the form can be shown again with. */
export async function attempt<Result>(work: () => Promise<Result>): Promise<Attempt<Result>> {
  try {
    return { error: null, result: await work() };
  } catch (error) {
    const domainError = toDomainError(error);
    if (domainError === null || ELSEWHERE.has(domainError.code)) throw error;
    return { error: domainError };
  }
}
