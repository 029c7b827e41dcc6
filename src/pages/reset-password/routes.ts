import { type Context, Hono } from "hono";
import { completeReset } from "../../auth/reset/complete-reset.ts";
import { isResetLinkAlive } from "../../auth/reset/is-reset-link-alive.ts";
import { seenOf } from "../../auth/sessions/identify-session.ts";
import type { HttpEnv } from "../../http/request.ts";
import { answerPage, answerRefusal, goTo } from "../http/answer.ts";
import { attempt } from "../http/attempt.ts";
import { leaveSession } from "../http/leave-session.ts";
import { pageRoute } from "../http/page-route.ts";
import { readForm } from "../http/read-form.ts";
import type { PagesServices } from "../pages-services.ts";
import { formErrors } from "../parts/form-errors.ts";
import { NEW_PASSWORD_LABELS } from "../parts/new-password.ts";
import { deadResetLinkView, resetPasswordView } from "./view.ts";

/** /users/reset-password/:token: sets a new password by a mailed link. To look at the page uses nothing up. */
export function resetPasswordRoutes(services: PagesServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, "/users/reset-password/:token", {
    GET: async (c) => {
      const isAlive = await isResetLinkAlive(services, tokenOf(c));
      const { min: minLength } = services.passwords;
      return answerPage(c, isAlive ? resetPasswordView({ errors: null, minLength }) : deadResetLinkView());
    },
    POST: (c) => complete(services, c),
    PUT: (c) => complete(services, c),
  });
  return app;
}

async function complete(services: PagesServices, c: Context<HttpEnv>): Promise<Response> {
  const form = await readForm(c);
  const input = {
    token: tokenOf(c),
    password: form.one("password"),
    passwordConfirmation: form.one("password_confirmation"),
  };
  const tried = await attempt(() => completeReset(services, input, seenOf(c)));
  if (tried.refusal !== null) {
    const errors = formErrors(tried.refusal, NEW_PASSWORD_LABELS);
    const page = resetPasswordView({ errors, minLength: services.passwords.min });
    return answerRefusal(c, page, tried.refusal);
  }
  if (tried.result === "dead") return answerPage(c, deadResetLinkView());
  await leaveSession(services, c);
  return goTo(c, "/users/log-in?notice=password-reset");
}

function tokenOf(c: Context<HttpEnv>): string {
  return c.req.param("token") ?? "";
}
