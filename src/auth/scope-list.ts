import { DomainError } from "../domain/kernel/errors.ts";
import { type Scope, isScope } from "../domain/kernel/scopes.ts";

/**
 * The scopes of a new credential: those asked for, or all of its parent's where none are.
 *
 * @throws {DomainError} invalid_scope for an empty list, an unknown scope, one that is named twice, or more than the
 *   parent holds.
 */
export function resolveScopes(
  asked: readonly string[] | null | undefined,
  parent: ReadonlySet<Scope>,
): Scope[] {
  if (asked === null || asked === undefined) return [...parent].toSorted();
  return parseScopes(asked, (scope) => {
    if (!parent.has(scope)) throw createScopeError(`The key does not hold the scope ${scope}.`);
  });
}

/**
 * The scopes of a list.
 *
 * @throws {DomainError} invalid_scope for an empty list, an unknown scope, or one that is named twice.
 */
export function parseScopes(asked: readonly string[], check: (scope: Scope) => void = () => {}): Scope[] {
  if (asked.length === 0) throw createScopeError("At least one scope is needed.");
  const scopes = new Set<Scope>();
  for (const scope of asked) {
    if (!isScope(scope)) throw createScopeError(`There is no scope ${JSON.stringify(scope)}.`);
    if (scopes.has(scope)) throw createScopeError(`The scope ${scope} is named twice.`);
    check(scope);
    scopes.add(scope);
  }
  return [...scopes].toSorted();
}

function createScopeError(message: string): DomainError {
  return new DomainError("invalid_scope", message, { field: "scopes" });
}
