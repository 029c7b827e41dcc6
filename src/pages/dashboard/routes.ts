import { type Context, Hono } from "hono";
import type { VisitorServices } from "../../auth/identify.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { answerAsset } from "../http/built-app.ts";
import { pageRoute } from "../http/page-route.ts";
import { DASHBOARD_POLICY } from "../http/secure-headers.ts";
import { requireVisitor } from "../http/visitor.ts";
import type { PageEnv } from "../page-env.ts";
import { ICON } from "../style/assets.ts";
import { type Dashboard, readDashboard, renderDashboard } from "./page.ts";

/** Paths that show the dashboard: the start page, and views with paths below their own. */
export const DASHBOARD_PLACES = [
  "/",
  "/inbox/*",
  "/approvals/*",
  "/alerts/*",
  "/agents/*",
  "/tasks/*",
  "/commands/*",
  "/conversations/*",
  "/traces/*",
  "/costs/*",
  "/robots/*",
  "/missions/*",
  "/evaluations/*",
  "/policies/*",
  "/decisions/*",
  "/executions/*",
  "/mcp-servers/*",
  "/budgets/*",
  "/connect/*",
];

/** The dashboard, which requires a session, and its assets. `rereads` picks up newer builds. */
export function dashboardRoutes(services: VisitorServices, { rereads }: { rereads: boolean }): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  let known: Dashboard | null = null;
  function find(): Dashboard | null {
    known = rereads ? readDashboard() : (known ?? readDashboard());
    return known;
  }

  app.get("/assets/icon.svg", (c) =>
    c.body(ICON.body, 200, { "content-type": ICON.type, "cache-control": "public, max-age=86400" }),
  );
  app.get("/assets/:name", (c) => answerAsset(c, find()?.app ?? null));
  for (const place of DASHBOARD_PLACES) {
    app.use(place, requireVisitor(services));
    pageRoute(app, place, { GET: (c) => answerDashboard(c, find()) });
  }
  return app;
}

async function answerDashboard(c: Context<PageEnv>, dashboard: Dashboard | null): Promise<Response> {
  if (dashboard === null) {
    throw new DomainError("unavailable", "The dashboard is still being built. Try again in a moment.");
  }
  c.header("content-security-policy", DASHBOARD_POLICY);
  return c.html(await renderDashboard(c.get("ctx"), dashboard, c.req.path));
}
