import { Hono } from "hono";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage } from "../../http/answer.ts";
import { pageRoute } from "../../http/page-route.ts";
import type { PageEnv } from "../../page-env.ts";
import { toCursorLinks, parsePageRequest } from "../../parts/pager.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { getNow, toVisitor } from "../frame.ts";
import { keysView } from "./list-view.ts";

const ListKeys = graphql(
  `
    query ListKeys($first: Int, $after: String, $last: Int, $before: String, $filter: ApiKeyFilter) {
      ...ViewerFields
      apiKeys(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
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
          prefix
          last4
          primary
          lastUsedAt
          creatorSuspended
          expiresAt
          revokedAt
          rotatedToUuid
        }
      }
    }
  `,
  [ViewerFields],
);

export function keyListRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, "/settings/api-keys", {
    GET: async (c) => {
      const { state: asked = "" } = c.req.query();
      const state = ["inactive", "all"].includes(asked) ? asked : "active";
      const filter = { valid: state === "all" ? null : state === "active" };
      const data = await execute(c.get("ctx"), ListKeys, { ...parsePageRequest(c.req.query()), filter });
      const { nodes: keys, pageInfo, totalCount: total } = data.apiKeys;
      const list = { keys, around: toCursorLinks(pageInfo, { state }), total: total ?? 0, state };
      return answerPage(c, keysView({ visitor: toVisitor(data), ...list, now: getNow(c) }));
    },
  });
  return app;
}
