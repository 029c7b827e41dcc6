import { invalid } from "../../domain/errors.ts";

/**
 * The whole number that was typed into a field.
 *
 * @throws {DomainError} validation_failed for anything else.
 */
export function wholeNumberIn(field: string, typed: string): number {
  // Nine digits are what GraphQL's Int holds for certain.
  if (/^-?[0-9]{1,9}$/.test(typed.trim())) return Number(typed);
  throw invalid(field, "must be a whole number");
}

/**
 * The one of these values that was chosen in a field.
 *
 * @throws {DomainError} validation_failed for anything else.
 */
export function oneOf<Value extends string>(field: string, typed: string, values: readonly Value[]): Value {
  const value = values.find((value) => value === typed);
  if (value !== undefined) return value;
  throw invalid(field, "must be one of those offered");
}

/** What was typed into a field that may stay empty. */
export function optional(typed: string): string | null {
  const text = typed.trim();
  return text === "" ? null : text;
}

/** The lines of a field of several, without the empty ones. */
export function linesOf(typed: string): string[] {
  return typed
    .split(/[\r\n,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
