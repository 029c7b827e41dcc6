import { type Context, Hono } from "hono";
import type { VisitorServices } from "../../auth/identify.ts";
import { beginPasskeyLogIn, logInByPasskey } from "../../auth/passkeys/passkey-log-in.ts";
import { getClientInfo } from "../../auth/sessions/identify-session.ts";
import type { HttpEnv } from "../../http/request.ts";
import { answerFormError, answerPage, goTo } from "../http/answer.ts";
import { enterSession } from "../http/enter-session.ts";
import { attempt } from "../http/attempt.ts";
import { pageRoute } from "../http/page-route.ts";
import { readForm } from "../http/read-form.ts";
import { logInPath } from "../http/to-own-path.ts";
import { findVisitor } from "../http/visitor.ts";
import { answerCeremony } from "../passkey/answer-ceremony.ts";
import { readProps } from "./routes.ts";
import { type LogInProps, logInView } from "./view.ts";

const PATH = "/users/log-in/passkey";
/** The same for every cause, so that it reveals nothing. */
const REFUSED = "The passkey was not accepted. Log in with your email and password.";

/** /users/log-in/passkey: logs a person in by a passkey alone. */
export function passkeyLogInRoutes(services: VisitorServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, PATH, {
    POST: async (c) => {
      const form = await readForm(c);
      const props = await readProps(services, form, c.req.query("return_to"));
      const response = form.one("response");
      const tried = await attempt(() =>
        response === "" ? begin(services, c, props) : finish(services, c, { ...props, response }),
      );
      if (tried.error === null) return tried.result;
      return answerFormError(c, logInView({ ...props, problem: tried.error.message }), tried.error);
    },
  });
  return app;
}

async function begin(
  services: VisitorServices,
  c: Context<HttpEnv>,
  { remember, returnTo }: LogInProps,
): Promise<Response> {
  return answerCeremony(c, {
    title: "Log in with a passkey",
    lead: "Your browser or your security key asks for your fingerprint, your face or a PIN.",
    button: "Use a passkey",
    kind: "get",
    options: await beginPasskeyLogIn(services, getClientInfo(c)),
    action: PATH,
    hidden: { return_to: returnTo, remember_me: String(remember) },
    back: logInPath(returnTo),
  });
}

async function finish(
  services: VisitorServices,
  c: Context<HttpEnv>,
  { response, ...props }: LogInProps & { response: string },
): Promise<Response> {
  const { remember, returnTo } = props;
  const replaces = await findVisitor(services, c);
  const session = await logInByPasskey(services, { response, remember, replaces }, getClientInfo(c));
  if (session === null) return answerPage(c, logInView({ ...props, problem: REFUSED }), 422);
  enterSession(services, c, session);
  return goTo(c, returnTo);
}
