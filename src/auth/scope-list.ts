import { DomainError } from "../domain/kernel/errors.ts";
import { type Scope, isScope } from "../domain/kernel/scopes.ts";

/**
 * Returns the scopes of a new credential: the requested ones, or all of its parent's if none are requested.
 *
 * @throws {DomainError} invalid_scope for an empty list, an unknown or repeated scope, or one that the
 *   parent does not have.
 */
export function resolveScopes(
  asked: readonly string[] | null | undefined,
  parent: ReadonlySet<Scope>,
): Scope[] {
  if (asked === null || asked === undefined) return [...parent].toSorted();
  return parseScopes(asked, (scope) => {
    if (!parent.has(scope)) throw createScopeError(`The key does not have the scope ${scope}.`);
  });
}

/**
 * Parses a list of scopes.
 *
 * @throws {DomainError} invalid_scope for an empty list, or an unknown or repeated scope.
 */
export function parseScopes(asked: readonly string[], check: (scope: Scope) => void = () => {}): Scope[] {
  if (asked.length === 0) throw createScopeError("At least one scope is required.");
  const scopes = new Set<Scope>();
  for (const scope of asked) {
    if (!isScope(scope)) throw createScopeError(`Unknown scope ${JSON.stringify(scope)}.`);
    if (scopes.has(scope)) throw createScopeError(`The scope ${scope} is listed twice.`);
    check(scope);
    scopes.add(scope);
  }
  return [...scopes].toSorted();
}

function createScopeError(message: string): DomainError {
  return new DomainError("invalid_scope", message, { field: "scopes" });
}
