import { Hono } from "hono";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage } from "../../http/answer.ts";
import { pageRoute } from "../../http/page-route.ts";
import type { PageEnv } from "../../page-env.ts";
import { toOffsetPage, parseOffset } from "../../parts/pager.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { getNow, toVisitor } from "../frame.ts";
import { socketTokensView } from "./view.ts";

const ListSocketTokens = graphql(
  `
    query ListWorkspaceSocketTokens($first: Int!, $offset: Int!) {
      ...ViewerFields
      socketTokens(first: $first, offset: $offset) {
        uuid
        agentName
        scopes
        singleUse
        usedAt
        createdAt
        expiresAt
      }
    }
  `,
  [ViewerFields],
);

/** /settings/socket-tokens: lists socket tokens. */
export function socketTokenPageRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, "/settings/socket-tokens", {
    GET: async (c) => {
      const asked = parseOffset(c.req.query());
      const data = await execute(c.get("ctx"), ListSocketTokens, asked);
      const { rows: tokens, links: around } = toOffsetPage(data.socketTokens, asked.offset);
      return answerPage(c, socketTokensView({ visitor: toVisitor(data), tokens, around, now: getNow(c) }));
    },
  });
  return app;
}
