import { Hono } from "hono";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage } from "../../http/answer.ts";
import { pageRoute } from "../../http/page-route.ts";
import type { PageEnv } from "../../page-env.ts";
import { toOffsetPage, parseOffset } from "../../parts/pager.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { getNow, toVisitor } from "../frame.ts";
import { agentTokensView } from "./view.ts";

const ListAgentTokens = graphql(
  `
    query ListWorkspaceAgentTokens($first: Int!, $offset: Int!) {
      ...ViewerFields
      agentTokens(first: $first, offset: $offset) {
        uuid
        name
        agentName
        scopes
        createdAt
        expiresAt
        revokedAt
        lastUsedAt
      }
    }
  `,
  [ViewerFields],
);

/** /settings/agent-tokens: lists access tokens. */
export function agentTokenPageRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, "/settings/agent-tokens", {
    GET: async (c) => {
      const asked = parseOffset(c.req.query());
      const data = await execute(c.get("ctx"), ListAgentTokens, asked);
      const { rows: tokens, links: around } = toOffsetPage(data.agentTokens, asked.offset);
      return answerPage(c, agentTokensView({ visitor: toVisitor(data), tokens, around, now: getNow(c) }));
    },
  });
  return app;
}
