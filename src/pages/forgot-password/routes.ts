import { Hono } from "hono";
import { requestReset } from "../../auth/reset/request-reset.ts";
import type { HttpEnv } from "../../http/request.ts";
import { answerPage, goTo } from "../http/answer.ts";
import { pageRoute } from "../http/page-route.ts";
import { readForm } from "../http/read-form.ts";
import { findVisitor } from "../http/visitor.ts";
import type { PagesServices } from "../pages-services.ts";
import { forgotPasswordView, linkSentView } from "./view.ts";

/** /users/forgot-password: requests a reset link. Never reveals whether an account exists. */
export function forgotPasswordRoutes(services: PagesServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, "/users/forgot-password", {
    GET: async (c) => {
      if ((await findVisitor(services, c)) !== null) return goTo(c, "/");
      return answerPage(c, forgotPasswordView());
    },
    POST: async (c) => {
      if ((await findVisitor(services, c)) !== null) return goTo(c, "/");
      const form = await readForm(c);
      await requestReset(services, { email: form.one("email"), ip: c.var.ip });
      return answerPage(c, linkSentView());
    },
  });
  return app;
}
