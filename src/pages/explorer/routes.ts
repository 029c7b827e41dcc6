import { type Context, Hono } from "hono";
import type { VisitorServices } from "../../auth/identify.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { type BuiltApp, answerAsset, answerFile, readBuiltApp } from "../http/built-app.ts";
import { pageRoute } from "../http/page-route.ts";
import { DASHBOARD_POLICY } from "../http/secure-headers.ts";
import { requireVisitor } from "../http/visitor.ts";
import type { PageEnv } from "../page-env.ts";

/** The GraphQL explorer. */
export const EXPLORER_PATH = "/graphql/explorer";

/**
 * GraphiQL, which requires a session, and its assets. It is read when somebody first opens it, since it is as large as
 * the dashboard and few do.
 */
export function explorerRoutes(services: VisitorServices): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  let known: BuiltApp | null = null;
  function find(): BuiltApp | null {
    known ??= readBuiltApp("explorer");
    return known;
  }

  app.get(`${EXPLORER_PATH}/assets/:name`, (c) => answerAsset(c, find()));
  app.use(EXPLORER_PATH, requireVisitor(services));
  pageRoute(app, EXPLORER_PATH, { GET: (c) => answerExplorer(c, find()) });
  return app;
}

function answerExplorer(c: Context<PageEnv>, explorer: BuiltApp | null): Response {
  if (explorer === null) {
    throw new DomainError("unavailable", "The explorer is still being built. Try again in a moment.");
  }
  c.header("content-security-policy", DASHBOARD_POLICY);
  return answerFile(c, explorer.page);
}
