import { type Context, Hono } from "hono";
import { completeReset } from "../../auth/reset/complete-reset.ts";
import { isResetLinkValid } from "../../auth/reset/is-reset-link-valid.ts";
import { getClientInfo } from "../../auth/sessions/identify-session.ts";
import type { HttpEnv } from "../../http/request.ts";
import { answerPage, answerFormError, goTo } from "../http/answer.ts";
import { attempt } from "../http/attempt.ts";
import { leaveSession } from "../http/leave-session.ts";
import { pageRoute } from "../http/page-route.ts";
import { readForm } from "../http/read-form.ts";
import type { PagesServices } from "../pages-services.ts";
import { formErrors } from "../parts/form-errors.ts";
import { NEW_PASSWORD_LABELS } from "../parts/new-password.ts";
import { invalidResetLinkView, resetPasswordView } from "./view.ts";

/** /users/reset-password/:token: sets a new password. Viewing the page doesn't use up the link. */
export function resetPasswordRoutes(services: PagesServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, "/users/reset-password/:token", {
    GET: async (c) => {
      const isValid = await isResetLinkValid(services, getToken(c));
      const { min: minLength } = services.passwords;
      return answerPage(c, isValid ? resetPasswordView({ errors: null, minLength }) : invalidResetLinkView());
    },
    POST: (c) => complete(services, c),
    PUT: (c) => complete(services, c),
  });
  return app;
}

async function complete(services: PagesServices, c: Context<HttpEnv>): Promise<Response> {
  const form = await readForm(c);
  const input = {
    token: getToken(c),
    password: form.one("password"),
    passwordConfirmation: form.one("password_confirmation"),
  };
  const tried = await attempt(() => completeReset(services, input, getClientInfo(c)));
  if (tried.error !== null) {
    const errors = formErrors(tried.error, NEW_PASSWORD_LABELS);
    const page = resetPasswordView({ errors, minLength: services.passwords.min });
    return answerFormError(c, page, tried.error);
  }
  if (tried.result === "invalid") return answerPage(c, invalidResetLinkView());
  await leaveSession(services, c);
  return goTo(c, "/users/log-in?notice=password-reset");
}

function getToken(c: Context<HttpEnv>): string {
  return c.req.param("token") ?? "";
}
