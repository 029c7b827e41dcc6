import type { Ctx } from "./context.ts";
import { type Scope, hasRoleScope } from "./scopes.ts";

/** Whether the caller may do what a scope names: for what is only left out where he may not. */
export function hasScope({ actor }: Ctx, scope: Scope): boolean {
  switch (actor.type) {
    case "system":
      return true;
    case "agent":
      return actor.scopes.has(scope);
    case "user":
      return hasRoleScope(actor.role, scope);
    case "scim":
      return false;
  }
}
