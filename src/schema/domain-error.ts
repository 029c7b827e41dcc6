import { GraphQLError } from "graphql";
import type { DomainError } from "../domain/errors.ts";
import { refusalOf } from "../domain/failure.ts";

/** The refusal behind an error of an execution, or null where it is a bug or the document's own fault. */
export function domainErrorOf(error: unknown): DomainError | null {
  for (let cause = error; cause !== undefined; cause = inner(cause)) {
    const refusal = refusalOf(cause);
    if (refusal !== null) return refusal;
  }
  return null;
}

function inner(error: unknown): unknown {
  return error instanceof GraphQLError ? error.originalError : undefined;
}
