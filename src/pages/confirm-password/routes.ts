import { type Context, Hono } from "hono";
import { readFactors } from "../../auth/factors/read-factors.ts";
import { findSessionProvider } from "../../auth/oidc/begin-sign-in.ts";
import { beginPasskeyConfirmation } from "../../auth/passkeys/begin-passkey-use.ts";
import { findSite } from "../../auth/passkeys/site.ts";
import { confirmByPasskey, confirmPassword, hasSecondFactor } from "../../auth/sessions/confirm-password.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import type { Html } from "../html.ts";
import { answerPage, answerFormError, goTo } from "../http/answer.ts";
import { attempt } from "../http/attempt.ts";
import { toOwnPath } from "../http/to-own-path.ts";
import { pageRoute } from "../http/page-route.ts";
import { type SubmittedForm, readForm } from "../http/read-form.ts";
import { requireVisitor } from "../http/visitor.ts";
import type { PageEnv } from "../page-env.ts";
import type { PagesServices } from "../pages-services.ts";
import { type FormErrors, formErrors } from "../parts/form-errors.ts";
import { confirmPasswordPath } from "../parts/unlock.ts";
import { answerCeremony } from "../passkey/answer-ceremony.ts";
import { confirmPasswordView } from "./view.ts";

const PATH = "/users/confirm-password";

/** /users/confirm-password: asks for the password again, and for a code of the second factor, then returns to the previous page. */
export function confirmPasswordRoutes(services: PagesServices): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  app.use(PATH, requireVisitor(services));
  pageRoute(app, PATH, {
    GET: async (c) => {
      const returnTo = toOwnPath(c.req.query("return_to"));
      return answerPage(c, await page(c.get("ctx"), { returnTo, errors: null }));
    },
    POST: async (c) => {
      const [ctx, form] = [c.get("ctx"), await readForm(c)];
      const returnTo = toOwnPath(form.one("return_to"));
      const tried = await attempt(() => act(services, c, form));
      if (tried.error === null) return tried.result;
      const errors = formErrors(tried.error, {
        password: "The password",
        code: "The code",
        passkey: "The passkey",
      });
      return answerFormError(c, await page(ctx, { returnTo, errors }), tried.error);
    },
  });
  return app;
}

async function act(services: PagesServices, c: Context<PageEnv>, form: SubmittedForm): Promise<Response> {
  const ctx = c.get("ctx");
  const returnTo = toOwnPath(form.one("return_to"));
  switch (form.one("act")) {
    case "begin-passkey":
      return answerCeremony(c, {
        title: "Confirm it's you",
        lead: "Your browser or your security key asks for your fingerprint, your face or a PIN.",
        button: "Use a passkey",
        kind: "get",
        options: await beginPasskeyConfirmation(ctx),
        action: PATH,
        hidden: { act: "passkey", return_to: returnTo },
        back: confirmPasswordPath(returnTo),
      });
    case "passkey":
      await confirmByPasskey(ctx, form.one("response"));
      return goTo(c, returnTo);
    default:
      await confirmPassword(ctx, services, { password: form.one("password"), code: form.one("code") });
      return goTo(c, returnTo);
  }
}

async function page(ctx: Ctx, shown: { returnTo: string; errors: FormErrors | null }): Promise<Html> {
  const isByProvider = (await findSessionProvider(ctx)) !== null;
  const asksCode = await hasSecondFactor(ctx);
  const hasPasskey = findSite(ctx.services) !== null && (await readFactors(ctx)).passkeys.length > 0;
  return confirmPasswordView({ ...shown, isInterrupted: false, isByProvider, asksCode, hasPasskey });
}
