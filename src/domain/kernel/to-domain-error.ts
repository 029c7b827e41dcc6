import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import { DomainError } from "./errors.ts";

/** The refusal that an error is or means, or null for a bug. */
export function toDomainError(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error;
  switch (getDatabaseErrorKind(error)) {
    case "unavailable":
    case "conflict":
      return new DomainError("unavailable", "The service can't reach its database at this moment.");
    case "busy":
      return new DomainError(
        "unavailable",
        "Too many requests of this workspace at once. Try again in a few seconds.",
      );
    case "timeout":
      return new DomainError("unavailable", "This took too long and was given up. Ask for less at once.");
    case "unstorable":
      return new DomainError("validation_failed", "A text holds a character that can't be stored.");
    case "taken":
    case "unknown":
      return null;
  }
}
