import { type Context, Hono } from "hono";
import type { VisitorServices } from "../../auth/identify.ts";
import { forgetSession } from "../http/forget-session.ts";
import { logOut } from "../../auth/sessions/log-out.ts";
import type { HttpEnv } from "../../http/request.ts";
import { goTo } from "../http/answer.ts";
import { pageRoute } from "../http/page-route.ts";
import { findVisitor } from "../http/visitor.ts";

/** /users/log-out: ends the session. POST only, so that links on other pages can't log anyone out. */
export function logOutRoutes(services: VisitorServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, "/users/log-out", { POST: (c) => end(services, c), DELETE: (c) => end(services, c) });
  return app;
}

async function end(services: VisitorServices, c: Context<HttpEnv>): Promise<Response> {
  const ctx = await findVisitor(services, c);
  if (ctx !== null) await logOut(ctx);
  forgetSession(services, c);
  return goTo(c, "/users/log-in?notice=logged-out");
}
