import { type Context, Hono } from "hono";
import { createAttemptCookie, readAttemptCookie } from "../../auth/oidc/attempt-secret.ts";
import { type BegunSignIn, beginConfirmation, beginSignIn } from "../../auth/oidc/begin-sign-in.ts";
import { finishSignIn } from "../../auth/oidc/finish-sign-in.ts";
import { CALLBACK_PATH, LOGGED_OUT_PATH } from "../../auth/oidc/oidc-services.ts";
import { getClientInfo } from "../../auth/sessions/identify-session.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import type { HttpEnv } from "../../http/request.ts";
import { answerFormError, answerPage, goTo } from "../http/answer.ts";
import { enterSession } from "../http/enter-session.ts";
import { attempt } from "../http/attempt.ts";
import { pageRoute } from "../http/page-route.ts";
import { readForm } from "../http/read-form.ts";
import { logInPath, toOwnPath } from "../http/to-own-path.ts";
import { findVisitor } from "../http/visitor.ts";
import { LOGGED_OUT } from "../log-out/routes.ts";
import { readProps } from "../log-in/routes.ts";
import { logInView } from "../log-in/view.ts";
import type { PagesServices } from "../pages-services.ts";
import { leavingView } from "./view.ts";

/** Said for every address of the domain. */
const NO_PROVIDER = "There is no company sign-in for addresses of this domain. Log in with your password.";

/** /users/log-in/provider and its callback: sign-in by a workspace's own provider, and confirmation there. */
export function providerSignInRoutes(services: PagesServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, "/users/log-in/provider", { POST: (c) => signIn(services, c) });
  pageRoute(app, "/users/confirm-password/provider", { POST: (c) => confirm(services, c) });
  pageRoute(app, CALLBACK_PATH, { GET: (c) => comeBack(services, c) });
  pageRoute(app, LOGGED_OUT_PATH, { GET: (c) => goTo(c, LOGGED_OUT) });
  return app;
}

async function signIn(services: PagesServices, c: Context<HttpEnv>): Promise<Response> {
  const props = await readProps(services, await readForm(c), c.req.query("return_to"));
  const tried = await attempt(() => beginSignIn(services, props, getClientInfo(c)));
  if (tried.error !== null) {
    return answerFormError(c, logInView({ ...props, problem: tried.error.message }), tried.error);
  }
  if (tried.result === null) return answerPage(c, logInView({ ...props, problem: NO_PROVIDER }), 422);
  return leave(services, c, tried.result);
}

async function confirm(services: PagesServices, c: Context<HttpEnv>): Promise<Response> {
  const returnTo = toOwnPath((await readForm(c)).one("return_to"));
  const visitor = await findVisitor(services, c);
  if (visitor === null) return goTo(c, logInPath(returnTo));
  const begun = await beginConfirmation(services, visitor, returnTo);
  if (begun !== null) return leave(services, c, begun);
  throw new DomainError("invalid_state", "You did not sign in by your company. Confirm with your password.");
}

function leave(services: PagesServices, c: Context<HttpEnv>, { url, secret }: BegunSignIn): Response {
  c.header("set-cookie", createAttemptCookie(secret, services.sessions.secureCookies), { append: true });
  c.header("refresh", `0; url=${url.href}`);
  return answerPage(c, leavingView(url));
}

async function comeBack(services: PagesServices, c: Context<HttpEnv>): Promise<Response> {
  const { secureCookies } = services.sessions;
  // A check by HEAD must not use up the attempt.
  if (c.req.method === "HEAD") return answerPage(c, leavingView(new URL(services.baseUrl())));
  const secret = readAttemptCookie(c.req.header("cookie"), secureCookies);
  const query = new URLSearchParams(new URL(c.req.url).search);
  const visitor = await findVisitor(services, c);
  const { session, returnTo } = await finishSignIn(services, { secret, query, visitor }, getClientInfo(c));
  if (session !== null) {
    enterSession(services, c, session);
  }
  c.header("set-cookie", createAttemptCookie(null, secureCookies), { append: true });
  return goTo(c, returnTo);
}
