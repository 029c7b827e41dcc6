import type { ResultOf } from "gql.tada";
import type { Context } from "hono";
import type { UserSession } from "../../domain/actor.ts";
import { DomainError } from "../../domain/errors.ts";
import { type Role, ROLES, isAtLeast } from "../../domain/scopes.ts";
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
export function visitorFrom({ viewer, workspace }: ResultOf<typeof VisitorFields>): Visitor {
  const isAdmin = viewer.role === "OWNER" || viewer.role === "ADMIN";
  return { name: viewer.actor.name, workspaceName: workspace.name, isAdmin };
}

/** The person whose request it is, and the session that he came with. */
export function personOf(c: Context<PageEnv>): { id: string; role: Role; session: UserSession } {
  const { actor } = c.get("ctx");
  if (actor.type === "user") return actor;
  throw new DomainError("forbidden", "Only a person who is logged in can do this.");
}

/** The roles that a person of a role may give, and whose members he may act on; as GraphQL spells them. */
export function rolesUpTo(role: Role): Uppercase<Role>[] {
  // toUpperCase makes of each role its capitals.
  return ROLES.filter((other) => isAtLeast(role, other)).map(
    (other) => other.toUpperCase() as Uppercase<Role>,
  );
}

/** The time that everything on a page is held against. */
export function nowOf(c: Context<PageEnv>): Date {
  return c.get("ctx").now ?? new Date();
}
