import { type Context, Hono } from "hono";
import type { VisitorServices } from "../../auth/identify.ts";
import { findDomainSignIn } from "../../auth/oidc/find-domain-sign-in.ts";
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

const EMPTY = { remember: false, problem: null, workspaces: [], domain: null };
/** The same for every cause, so that it reveals nothing. */
const INVALID_CREDENTIALS = "Invalid email or password";
/** The same for every address of a domain. */
const ENFORCED = `${INVALID_CREDENTIALS}. People of your company log in with their company's account.`;

const NO_ADDRESS = "Enter an email address, such as ada@example.com";

/** /users/log-in: asks for the address, then for what its domain allows. A form with both is accepted too. */
export function logInRoutes(services: VisitorServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, "/users/log-in", {
    GET: async (c) => {
      if ((await findVisitor(services, c)) !== null) return goTo(c, "/");
      const { return_to: returnTo, notice } = c.req.query();
      const hasPasskeys = findSite(services) !== null;
      return answerPage(
        c,
        logInView({ ...EMPTY, email: "", hasPasskeys, returnTo: toOwnPath(returnTo), notice }),
      );
    },
    POST: async (c) => {
      const form = await readForm(c);
      const props = await readProps(services, form, c.req.query("return_to"));
      return form.all("password").length === 0
        ? answerAddress(c, props)
        : submit(services, c, { form, props });
    },
  });
  return app;
}

function answerAddress(c: Context<HttpEnv>, props: LogInProps): Response {
  if (props.domain !== null) return answerPage(c, logInView(props));
  return answerPage(c, logInView({ ...props, problem: NO_ADDRESS }), 422);
}

async function submit(
  services: VisitorServices,
  c: Context<HttpEnv>,
  { form, props }: { form: SubmittedForm; props: LogInProps },
): Promise<Response> {
  const { email, remember, returnTo, domain } = props;
  const workspace = form.one("workspace");
  const replaces = await findVisitor(services, c);
  const workspaceId = workspace === "" ? null : workspace;
  const input = { email, password: form.one("password"), remember, workspaceId, replaces, returnTo };
  const tried = await attempt(() => logIn(services, input, getClientInfo(c)));
  if (tried.error !== null) {
    return answerFormError(c, logInView({ ...props, problem: tried.error.message }), tried.error);
  }
  switch (tried.result.outcome) {
    case "refused": {
      const problem = domain?.isEnforced === true ? ENFORCED : INVALID_CREDENTIALS;
      return answerPage(c, logInView({ ...props, problem }), 422);
    }
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

/** What a form of the log-in page was sent with, to show it again. */
export async function readProps(
  services: VisitorServices,
  form: SubmittedForm,
  returnTo: string | undefined,
): Promise<LogInProps> {
  const email = form.one("email").trim();
  const asked = form.one("return_to") === "" ? returnTo : form.one("return_to");
  const remember = form.one("remember_me") === "true";
  const hasPasskeys = findSite(services) !== null;
  const domain = await findDomainSignIn(services, email);
  return { ...EMPTY, hasPasskeys, email, remember, returnTo: toOwnPath(asked), domain };
}
