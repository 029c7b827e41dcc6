import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import { DomainError } from "./errors.ts";

/** Converts an error to a DomainError, or null for a bug. */
export function toDomainError(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error;
  switch (getDatabaseErrorKind(error)) {
    case "unavailable":
    case "conflict":
      return new DomainError("unavailable", "The database can't be reached at the moment. Try again later.");
    case "busy":
      return new DomainError(
        "unavailable",
        "Too many requests of this workspace at once. Try again in a few seconds.",
      );
    case "timeout":
      return new DomainError("unavailable", "This took too long and was canceled. Ask for less at once.");
    case "unstorable":
      return new DomainError("validation_failed", "A text contains a character that can't be stored.");
    case "taken":
    case "unknown":
      return null;
  }
}
