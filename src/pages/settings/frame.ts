import type { ResultOf } from "gql.tada";
import type { Context } from "hono";
import { type Role, ROLES, isAtLeast } from "../../domain/kernel/scopes.ts";
import { graphql } from "../../schema/graphql.ts";
import type { Visitor } from "../layout/settings-page.ts";
import type { PageEnv } from "../page-env.ts";

/** What every page of the settings reads beside its own. */
export const VisitorFields = graphql(`
  fragment VisitorFields on Query {
    viewer {
      actor {
        name
      }
      role
    }
    workspace {
      name
    }
  }
`);

/** Who looks at the page. */
export function toVisitor({ viewer, workspace }: ResultOf<typeof VisitorFields>): Visitor {
  const isAdmin = viewer.role === "OWNER" || viewer.role === "ADMIN";
  return { name: viewer.actor.name, workspaceName: workspace.name, isAdmin };
}

/** The roles that a person of a role may give, and whose members he may act on; as GraphQL spells them. */
export function listRolesUpTo(role: Role): Uppercase<Role>[] {
  // toUpperCase makes of each role its capitals.
  return ROLES.filter((other) => isAtLeast(role, other)).map(
    (other) => other.toUpperCase() as Uppercase<Role>,
  );
}

/** The time that everything on a page is held against. */
export function getNow(c: Context<PageEnv>): Date {
  return c.get("ctx").now ?? new Date();
}
