import { Hono } from "hono";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage } from "../../http/answer.ts";
import { parseChoice } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import type { PageEnv } from "../../page-env.ts";
import { toCursorLinks, parsePageRequest } from "../../parts/pager.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { getNow, toVisitor } from "../frame.ts";
import { type MemberFilter, membersView } from "./list-view.ts";

const ListMembers = graphql(
  `
    query ListMembers($first: Int, $after: String, $last: Int, $before: String, $filter: UserFilter) {
      ...ViewerFields
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
          hasSecondFactor
          lastSeenAt
        }
      }
    }
  `,
  [ViewerFields],
);

const ROLES = ["OWNER", "ADMIN", "OPERATOR", "VIEWER"] as const;
const STATUSES = ["ACTIVE", "SUSPENDED", "INVITED"] as const;

export function memberListRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, "/settings/members", {
    GET: async (c) => {
      const { query = "", status = "", role = "", notice } = c.req.query();
      const filter: MemberFilter = { query, status, role };
      const data = await execute(c.get("ctx"), ListMembers, {
        ...parsePageRequest(c.req.query()),
        filter: toUserFilter(filter),
      });
      const { nodes: members, pageInfo, totalCount: total } = data.users;
      const list = { members, around: toCursorLinks(pageInfo, filter), total, filter };
      return answerPage(c, membersView({ visitor: toVisitor(data), ...list, now: getNow(c), notice }));
    },
  });
  return app;
}

function toUserFilter({ query, status, role }: MemberFilter) {
  return {
    query: query.trim() === "" ? null : query.trim(),
    status: status === "" ? null : parseChoice("status", status, STATUSES),
    role: role === "" ? null : parseChoice("role", role, ROLES),
  };
}
