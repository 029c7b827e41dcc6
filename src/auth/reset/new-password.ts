import type { FieldError } from "../../domain/errors.ts";
import { validationFailed } from "../../domain/input.ts";
import { type PasswordRules, passwordProblem } from "../password-rules.ts";

/** A new password as it is typed twice. */
export type NewPassword = { password: string; passwordConfirmation: string };

/**
 * Holds a new password to the rules, and to be the same twice.
 *
 * @throws {DomainError} validation_failed at password, at passwordConfirmation, or both.
 */
export function requireNewPassword(input: NewPassword, rules: PasswordRules): string {
  const { password, passwordConfirmation } = input;
  const errors: FieldError[] = [];
  const problem = passwordProblem(password, rules);
  if (problem !== null) errors.push({ field: "password", detail: problem });
  if (password !== passwordConfirmation) {
    errors.push({ field: "passwordConfirmation", detail: "is not the same as the password" });
  }
  if (errors.length > 0) throw validationFailed(errors);
  return password;
}
