import { Hono } from "hono";
import { findSessionProvider } from "../../auth/oidc/begin-sign-in.ts";
import { confirmPassword, hasSecondFactor } from "../../auth/sessions/confirm-password.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import type { Html } from "../html.ts";
import { answerPage, answerFormError, goTo } from "../http/answer.ts";
import { attempt } from "../http/attempt.ts";
import { toOwnPath } from "../http/to-own-path.ts";
import { pageRoute } from "../http/page-route.ts";
import { readForm } from "../http/read-form.ts";
import { requireVisitor } from "../http/visitor.ts";
import type { PageEnv } from "../page-env.ts";
import type { PagesServices } from "../pages-services.ts";
import { type FormErrors, formErrors } from "../parts/form-errors.ts";
import { confirmPasswordView } from "./view.ts";

/** /users/confirm-password: asks for the password again, and for a code of the second factor, then returns to the previous page. */
export function confirmPasswordRoutes(services: PagesServices): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  app.use("/users/confirm-password", requireVisitor(services));
  pageRoute(app, "/users/confirm-password", {
    GET: async (c) => {
      const returnTo = toOwnPath(c.req.query("return_to"));
      return answerPage(c, await page(c.get("ctx"), { returnTo, errors: null }));
    },
    POST: async (c) => {
      const [ctx, form] = [c.get("ctx"), await readForm(c)];
      const returnTo = toOwnPath(form.one("return_to"));
      const typed = { password: form.one("password"), code: form.one("code") };
      const tried = await attempt(() => confirmPassword(ctx, services, typed));
      if (tried.error === null) return goTo(c, returnTo);
      const errors = formErrors(tried.error, { password: "The password", code: "The code" });
      return answerFormError(c, await page(ctx, { returnTo, errors }), tried.error);
    },
  });
  return app;
}

async function page(ctx: Ctx, shown: { returnTo: string; errors: FormErrors | null }): Promise<Html> {
  const isByProvider = (await findSessionProvider(ctx)) !== null;
  const asksCode = await hasSecondFactor(ctx);
  return confirmPasswordView({ ...shown, isInterrupted: false, isByProvider, asksCode });
}
