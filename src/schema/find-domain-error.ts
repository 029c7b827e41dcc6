import { GraphQLError } from "graphql";
import type { DomainError } from "../domain/kernel/errors.ts";
import { toDomainError } from "../domain/kernel/to-domain-error.ts";

/** The refusal behind an error of an execution, or null where it is a bug or the document's own fault. */
export function findDomainError(error: unknown): DomainError | null {
  for (let cause = error; cause !== undefined; cause = unwrap(cause)) {
    const refusal = toDomainError(cause);
    if (refusal !== null) return refusal;
  }
  return null;
}

function unwrap(error: unknown): unknown {
  return error instanceof GraphQLError ? error.originalError : undefined;
}
