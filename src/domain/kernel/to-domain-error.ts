import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import { DomainError } from "./errors.ts";

/** The refusal that an error is or means, or null for a bug. */
export function toDomainError(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error;
  switch (getDatabaseErrorKind(error)) {
    case "unavailable":
    case "conflict":
      return new DomainError("unavailable", "The service can't reach its database at this moment.");
    case "unstorable":
      return new DomainError("validation_failed", "A text holds a character that can't be stored.");
    case "taken":
    case "unknown":
      return null;
  }
}
