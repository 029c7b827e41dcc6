import { createFieldError } from "../../domain/kernel/errors.ts";

/**
 * Parses an integer field.
 *
 * @throws {DomainError} validation_failed if it isn't an integer.
 */
export function parseWholeNumber(field: string, typed: string): number {
  const number = Number(typed);
  // What GraphQL's Int can hold.
  if (/^-?[0-9]{1,10}$/.test(typed.trim()) && Math.abs(number) < 2 ** 31) return number;
  throw createFieldError(field, "must be a whole number");
}

/**
 * Parses a field with a fixed set of values.
 *
 * @throws {DomainError} validation_failed for any other value.
 */
export function parseChoice<Value extends string>(
  field: string,
  typed: string,
  values: readonly Value[],
): Value {
  const value = values.find((value) => value === typed);
  if (value !== undefined) return value;
  throw createFieldError(field, "must be one of the options");
}

/** An optional field: null if empty. */
export function parseOptional(typed: string): string | null {
  const text = typed.trim();
  return text === "" ? null : text;
}

/** The non-empty lines of a text area. */
export function parseLines(typed: string): string[] {
  return typed
    .split(/[\r\n,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
