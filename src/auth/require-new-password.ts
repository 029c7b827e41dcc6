import type { FieldError } from "../domain/kernel/errors.ts";
import { createValidationError } from "../domain/kernel/field-errors.ts";
import { type PasswordRules, findPasswordProblem } from "./password-rules.ts";

/** A new password, entered twice. */
export type NewPassword = { password: string; passwordConfirmation: string };

/**
 * Checks a new password against the rules, and that both entries are equal.
 *
 * @param fields the names of the two input fields: password and confirmation.
 * @throws {DomainError} validation_failed at one or both fields.
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
    errors.push({ field: again, detail: "must equal the password" });
  }
  if (errors.length > 0) throw createValidationError(errors);
  return password;
}
