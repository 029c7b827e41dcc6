import { Hono } from "hono";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage } from "../../http/answer.ts";
import { oneOf } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import type { PageEnv } from "../../page-env.ts";
import { aroundCursors, pageAsked } from "../../parts/pager.ts";
import { VisitorFields, nowOf, visitorFrom } from "../frame.ts";
import { type MemberFilter, membersView } from "./list-view.ts";

const ListMembers = graphql(
  `
    query ListMembers($first: Int, $after: String, $last: Int, $before: String, $filter: UserFilter) {
      ...VisitorFields
      users(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
        nodes {
          uuid
          name
          email
          role
          status
          lastSeenAt
        }
      }
    }
  `,
  [VisitorFields],
);

const ROLES = ["OWNER", "ADMIN", "OPERATOR", "VIEWER"] as const;
const STATUSES = ["ACTIVE", "SUSPENDED", "INVITED"] as const;

/** /settings/members: the workspace's members. */
export function memberListRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, "/settings/members", {
    GET: async (c) => {
      const { query = "", status = "", role = "", notice } = c.req.query();
      const filter: MemberFilter = { query, status, role };
      const data = await execute(c.get("ctx"), ListMembers, {
        ...pageAsked(c.req.query()),
        filter: filterOf(filter),
      });
      const { nodes: members, pageInfo, totalCount: total } = data.users;
      const list = { members, around: aroundCursors(pageInfo, filter), total, filter };
      return answerPage(c, membersView({ visitor: visitorFrom(data), ...list, now: nowOf(c), notice }));
    },
  });
  return app;
}

function filterOf({ query, status, role }: MemberFilter) {
  return {
    query: query.trim() === "" ? null : query.trim(),
    status: status === "" ? null : oneOf("status", status, STATUSES),
    role: role === "" ? null : oneOf("role", role, ROLES),
  };
}
