import { type Context, Hono } from "hono";
import { logOutAtProvider } from "../../auth/oidc/log-out-at-provider.ts";
import { forgetSession } from "../http/forget-session.ts";
import type { HttpEnv } from "../../http/request.ts";
import { answerPage, goTo } from "../http/answer.ts";
import { pageRoute } from "../http/page-route.ts";
import { findVisitor } from "../http/visitor.ts";
import type { PagesServices } from "../pages-services.ts";
import { loggingOutView } from "../provider-sign-in/view.ts";

/** Where people are who have logged out. */
export const LOGGED_OUT = "/users/log-in?notice=logged-out";

/** /users/log-out: ends the session, and then the one at the provider at which it began. POST only, so that links on other pages can't log anyone out. */
export function logOutRoutes(services: PagesServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, "/users/log-out", { POST: (c) => end(services, c), DELETE: (c) => end(services, c) });
  return app;
}

async function end(services: PagesServices, c: Context<HttpEnv>): Promise<Response> {
  const ctx = await findVisitor(services, c);
  const url = ctx === null ? null : await logOutAtProvider(services, ctx);
  forgetSession(services, c);
  if (url === null) return goTo(c, LOGGED_OUT);
  c.header("refresh", `0; url=${url.href}`);
  return answerPage(c, loggingOutView(url));
}
