import type { FieldError } from "../domain/kernel/errors.ts";
import { createValidationError } from "../domain/kernel/field-errors.ts";
import { type PasswordRules, findPasswordProblem } from "./password-rules.ts";

/** A new password as it is typed twice. */
export type NewPassword = { password: string; passwordConfirmation: string };

/**
 * Holds a new password to the rules, and to be the same twice.
 *
 * @param fields the two by their names in the input: what is typed, and typed once more.
 * @throws {DomainError} validation_failed at one of the fields, or both.
 */
export function requireNewPassword<Field extends string>(
  input: Readonly<Record<NoInfer<Field>, string>>,
  fields: readonly [Field, Field],
  rules: PasswordRules,
): string {
  const [field, again] = fields;
  const password = input[field];
  const errors: FieldError[] = [];
  const problem = findPasswordProblem(password, rules);
  if (problem !== null) errors.push({ field, detail: problem });
  if (password !== input[again]) {
    errors.push({ field: again, detail: "is not the same as the password" });
  }
  if (errors.length > 0) throw createValidationError(errors);
  return password;
}
