import { type Context, Hono } from "hono";
import { completeEmailChange } from "../../auth/email-change/complete-email-change.ts";
import { isEmailChangeLinkValid } from "../../auth/email-change/is-email-change-link-valid.ts";
import { getClientInfo } from "../../auth/sessions/identify-session.ts";
import type { HttpEnv } from "../../http/request.ts";
import { answerPage, goTo } from "../http/answer.ts";
import { pageRoute } from "../http/page-route.ts";
import { findVisitor } from "../http/visitor.ts";
import type { PagesServices } from "../pages-services.ts";
import { confirmEmailView, invalidEmailLinkView } from "./view.ts";

/** /users/confirm-email/:token: confirms a new email address. */
export function confirmEmailRoutes(services: PagesServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, "/users/confirm-email/:token", {
    GET: async (c) => {
      const isValid = await isEmailChangeLinkValid(services, getToken(c));
      return answerPage(c, isValid ? confirmEmailView() : invalidEmailLinkView());
    },
    POST: async (c) => {
      const outcome = await completeEmailChange(services, getToken(c), getClientInfo(c));
      if (outcome === "invalid") return answerPage(c, invalidEmailLinkView());
      const isLoggedIn = (await findVisitor(services, c)) !== null;
      return goTo(c, isLoggedIn ? "/settings/email?notice=changed" : "/users/log-in?notice=email-changed");
    },
  });
  return app;
}

function getToken(c: Context<HttpEnv>): string {
  return c.req.param("token") ?? "";
}
