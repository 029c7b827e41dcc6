import { type Context, Hono } from "hono";
import { completeEmailChange } from "../../auth/email-change/complete-email-change.ts";
import { isEmailChangeAlive } from "../../auth/email-change/is-email-change-alive.ts";
import { seenOf } from "../../auth/sessions/identify-session.ts";
import type { HttpEnv } from "../../http/request.ts";
import { answerPage, goTo } from "../http/answer.ts";
import { pageRoute } from "../http/page-route.ts";
import { visitorOf } from "../http/visitor.ts";
import type { PagesServices } from "../pages-services.ts";
import { confirmEmailView, deadEmailLinkView } from "./view.ts";

/** /users/confirm-email/:token: puts a new email address in the place of the old one. */
export function confirmEmailRoutes(services: PagesServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, "/users/confirm-email/:token", {
    GET: async (c) => {
      const isAlive = await isEmailChangeAlive(services, tokenOf(c));
      return answerPage(c, isAlive ? confirmEmailView() : deadEmailLinkView());
    },
    POST: async (c) => {
      const outcome = await completeEmailChange(services, tokenOf(c), seenOf(c));
      if (outcome === "dead") return answerPage(c, deadEmailLinkView());
      const isLoggedIn = (await visitorOf(services, c)) !== null;
      return goTo(c, isLoggedIn ? "/settings/email?notice=changed" : "/users/log-in?notice=email-changed");
    },
  });
  return app;
}

function tokenOf(c: Context<HttpEnv>): string {
  return c.req.param("token") ?? "";
}
