import { type Context, Hono } from "hono";
import type { VisitorServices } from "../../auth/identify.ts";
import { isDomainEnforced } from "../../auth/oidc/is-domain-enforced.ts";
import { findSite } from "../../auth/passkeys/site.ts";
import { getClientInfo } from "../../auth/sessions/identify-session.ts";
import { logIn } from "../../auth/sessions/log-in.ts";
import { createPendingCookie } from "../../auth/sessions/pending-log-in-cookie.ts";
import type { HttpEnv } from "../../http/request.ts";
import { answerPage, answerFormError, goTo } from "../http/answer.ts";
import { enterSession } from "../http/enter-session.ts";
import { attempt } from "../http/attempt.ts";
import { toOwnPath } from "../http/to-own-path.ts";
import { pageRoute } from "../http/page-route.ts";
import { type SubmittedForm, readForm } from "../http/read-form.ts";
import { findVisitor } from "../http/visitor.ts";
import { VERIFY_PATH } from "./verify-routes.ts";
import { type LogInProps, logInView } from "./view.ts";

const EMPTY = { email: "", remember: false, returnTo: "/", problem: null, workspaces: [] };
/** The same for every cause, so that it reveals nothing. */
const INVALID_CREDENTIALS = "Invalid email or password";
/** The same for every address of a domain. */
const ENFORCED = `${INVALID_CREDENTIALS}. People of your company log in with their company's account.`;

/** /users/log-in: logs a user in. */
export function logInRoutes(services: VisitorServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, "/users/log-in", {
    GET: async (c) => {
      if ((await findVisitor(services, c)) !== null) return goTo(c, "/");
      const { return_to: returnTo, notice } = c.req.query();
      const hasPasskeys = findSite(services) !== null;
      return answerPage(c, logInView({ ...EMPTY, hasPasskeys, returnTo: toOwnPath(returnTo), notice }));
    },
    POST: async (c) => submit(services, c, await readForm(c)),
  });
  return app;
}

async function submit(
  services: VisitorServices,
  c: Context<HttpEnv>,
  form: SubmittedForm,
): Promise<Response> {
  const workspace = form.one("workspace");
  const props = readProps(services, form, c.req.query("return_to"));
  const { email, remember, returnTo } = props;
  const replaces = await findVisitor(services, c);
  const workspaceId = workspace === "" ? null : workspace;
  const input = { email, password: form.one("password"), remember, workspaceId, replaces, returnTo };
  const tried = await attempt(() => logIn(services, input, getClientInfo(c)));
  if (tried.error !== null) {
    return answerFormError(c, logInView({ ...props, problem: tried.error.message }), tried.error);
  }
  switch (tried.result.outcome) {
    case "refused":
      return answerPage(c, logInView({ ...props, problem: await explainRefusal(services, email) }), 422);
    case "choose":
      return answerPage(c, logInView({ ...props, workspaces: tried.result.workspaces }));
    case "verify": {
      const { secureCookies } = services.sessions;
      c.header("set-cookie", createPendingCookie(tried.result.secret, secureCookies), { append: true });
      return goTo(c, VERIFY_PATH);
    }
    case "in":
      enterSession(services, c, tried.result.session);
      return goTo(c, returnTo);
  }
}

async function explainRefusal(services: VisitorServices, email: string): Promise<string> {
  return (await isDomainEnforced(services, email)) ? ENFORCED : INVALID_CREDENTIALS;
}

/** After an error, the form keeps its values except the password. */
export function readProps(
  services: VisitorServices,
  form: SubmittedForm,
  returnTo: string | undefined,
): LogInProps {
  const asked = form.one("return_to") === "" ? returnTo : form.one("return_to");
  const remember = form.one("remember_me") === "true";
  const hasPasskeys = findSite(services) !== null;
  return { ...EMPTY, hasPasskeys, email: form.one("email"), remember, returnTo: toOwnPath(asked) };
}
