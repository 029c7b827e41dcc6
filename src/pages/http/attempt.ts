import type { DomainError, ErrorCode } from "../../domain/errors.ts";
import { refusalOf } from "../../domain/failure.ts";

/** What came of an act that a form asked for. */
export type Attempt<Result> = { refusal: null; result: Result } | { refusal: DomainError };

/** Refusals that no form can be shown again for: they have pages of their own. */
const ELSEWHERE: ReadonlySet<ErrorCode> = new Set([
  "unauthenticated",
  "sudo_required",
  "workspace_suspended",
]);

/** Does what a form asks for, and catches what the form can be shown again with. */
export async function attempt<Result>(work: () => Promise<Result>): Promise<Attempt<Result>> {
  try {
    return { refusal: null, result: await work() };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null || ELSEWHERE.has(refusal.code)) throw error;
    return { refusal };
  }
}
