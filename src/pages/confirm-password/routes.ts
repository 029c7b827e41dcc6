import { Hono } from "hono";
import { findSessionProvider } from "../../auth/oidc/begin-sign-in.ts";
import { confirmPassword } from "../../auth/sessions/confirm-password.ts";
import { answerPage, answerFormError, goTo } from "../http/answer.ts";
import { attempt } from "../http/attempt.ts";
import { toOwnPath } from "../http/to-own-path.ts";
import { pageRoute } from "../http/page-route.ts";
import { readForm } from "../http/read-form.ts";
import { requireVisitor } from "../http/visitor.ts";
import type { PageEnv } from "../page-env.ts";
import type { PagesServices } from "../pages-services.ts";
import { formErrors } from "../parts/form-errors.ts";
import { confirmPasswordView } from "./view.ts";

/** /users/confirm-password: asks for the password again, then returns to the previous page. */
export function confirmPasswordRoutes(services: PagesServices): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  app.use("/users/confirm-password", requireVisitor(services));
  pageRoute(app, "/users/confirm-password", {
    GET: async (c) => {
      const returnTo = toOwnPath(c.req.query("return_to"));
      const isByProvider = (await findSessionProvider(c.get("ctx"))) !== null;
      const props = { returnTo, errors: null, isInterrupted: false, isByProvider };
      return answerPage(c, confirmPasswordView(props));
    },
    POST: async (c) => {
      const form = await readForm(c);
      const returnTo = toOwnPath(form.one("return_to"));
      const tried = await attempt(() => confirmPassword(c.get("ctx"), services, form.one("password")));
      if (tried.error === null) return goTo(c, returnTo);
      const errors = formErrors(tried.error, { password: "The password" });
      const isByProvider = (await findSessionProvider(c.get("ctx"))) !== null;
      const page = confirmPasswordView({ returnTo, errors, isInterrupted: false, isByProvider });
      return answerFormError(c, page, tried.error);
    },
  });
  return app;
}
