import type { Ctx } from "./context.ts";
import { type Scope, hasRoleScope } from "./scopes.ts";

/** Whether the caller has a scope, for data that is left out otherwise. */
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
