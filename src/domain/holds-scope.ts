import type { Ctx } from "./context.ts";
import { type Scope, roleCovers } from "./scopes.ts";

/** Whether the caller may do what a scope names: for what is only left out where he may not. */
export function holdsScope({ actor }: Ctx, scope: Scope): boolean {
  switch (actor.type) {
    case "system":
      return true;
    case "agent":
      return actor.scopes.has(scope);
    case "user":
      return roleCovers(actor.role, scope);
    case "scim":
      return false;
  }
}
