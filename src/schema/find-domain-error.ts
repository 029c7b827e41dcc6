import { GraphQLError } from "graphql";
import type { DomainError } from "../domain/kernel/errors.ts";
import { toDomainError } from "../domain/kernel/to-domain-error.ts";

/**
 * Returns the DomainError that caused an execution's error, or null if the cause is a bug or the document
 * itself.
 */
export function findDomainError(error: unknown): DomainError | null {
  for (let cause = error; cause !== undefined; cause = unwrap(cause)) {
    const domainError = toDomainError(cause);
    if (domainError !== null) return domainError;
  }
  return null;
}

function unwrap(error: unknown): unknown {
  return error instanceof GraphQLError ? error.originalError : undefined;
}
