import { createFieldError } from "../../domain/kernel/errors.ts";

/**
 * The whole number that was typed into a field.
 *
 * @throws {DomainError} validation_failed for anything else.
 */
export function parseWholeNumber(field: string, typed: string): number {
  // Nine digits are what GraphQL's Int holds for certain.
  if (/^-?[0-9]{1,9}$/.test(typed.trim())) return Number(typed);
  throw createFieldError(field, "must be a whole number");
}

/**
 * The one of these values that was chosen in a field.
 *
 * @throws {DomainError} validation_failed for anything else.
 */
export function parseChoice<Value extends string>(
  field: string,
  typed: string,
  values: readonly Value[],
): Value {
  const value = values.find((value) => value === typed);
  if (value !== undefined) return value;
  throw createFieldError(field, "must be one of those offered");
}

/** What was typed into a field that may stay empty. */
export function parseOptional(typed: string): string | null {
  const text = typed.trim();
  return text === "" ? null : text;
}

/** The lines of a field of several, without the empty ones. */
export function parseLines(typed: string): string[] {
  return typed
    .split(/[\r\n,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
