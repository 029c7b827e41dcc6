import type { ResultOf } from "gql.tada";
import type { Context } from "hono";
import { type Role, ROLES, isAtLeast } from "../../domain/kernel/scopes.ts";
import type { Visitor } from "../layout/settings-page.ts";
import { type ViewerFields, tellViewer } from "../layout/viewer.ts";
import type { PageEnv } from "../page-env.ts";

export function toVisitor(fields: ResultOf<typeof ViewerFields>): Visitor {
  const { viewer, workspace } = fields;
  const isAdmin = viewer.role === "OWNER" || viewer.role === "ADMIN";
  return {
    name: viewer.actor.name,
    workspaceName: workspace.name,
    isAdmin,
    attributes: tellViewer(fields),
  };
}

/** The roles a user of this role may assign, and whose members they may manage, as GraphQL enum values. */
export function listRolesUpTo(role: Role): Uppercase<Role>[] {
  // toUpperCase() of a role is its GraphQL enum value.
  return ROLES.filter((other) => isAtLeast(role, other)).map(
    (other) => other.toUpperCase() as Uppercase<Role>,
  );
}

/** The time used for everything on the page. */
export function getNow(c: Context<PageEnv>): Date {
  return c.get("ctx").now ?? new Date();
}
