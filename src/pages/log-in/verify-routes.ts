import { type Context, Hono } from "hono";
import type { VisitorServices } from "../../auth/identify.ts";
import { getClientInfo, setSessionCookies } from "../../auth/sessions/identify-session.ts";
import { createPendingCookie, readPendingCookie } from "../../auth/sessions/pending-log-in-cookie.ts";
import { findPendingLogIn } from "../../auth/sessions/pending-log-in.ts";
import { verifyLogIn } from "../../auth/sessions/verify-log-in.ts";
import type { HttpEnv } from "../../http/request.ts";
import { answerFormError, answerPage, goTo } from "../http/answer.ts";
import { attempt } from "../http/attempt.ts";
import { pageRoute } from "../http/page-route.ts";
import { readForm } from "../http/read-form.ts";
import { findVisitor } from "../http/visitor.ts";
import { verifyView } from "./verify-view.ts";

/** Where a log-in with a right password goes on, for people with a second factor. */
export const VERIFY_PATH = "/users/log-in/verify";

const ENDED = "/users/log-in?notice=ended";

/** /users/log-in/verify: asks for a code, and then logs the person in. */
export function verifyRoutes(services: VisitorServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, VERIFY_PATH, {
    GET: async (c) => {
      const secret = readSecret(services, c);
      const isOpen = secret !== null && (await findPendingLogIn(services, secret)) !== null;
      return isOpen ? answerPage(c, verifyView({ problem: null })) : leave(services, c, ENDED);
    },
    POST: (c) => submit(services, c),
  });
  return app;
}

async function submit(services: VisitorServices, c: Context<HttpEnv>): Promise<Response> {
  const code = (await readForm(c)).one("code");
  const replaces = await findVisitor(services, c);
  const input = { secret: readSecret(services, c), code, replaces };
  const tried = await attempt(() => verifyLogIn(services, input, getClientInfo(c)));
  if (tried.error !== null) {
    return answerFormError(c, verifyView({ problem: tried.error.message }), tried.error);
  }
  switch (tried.result.outcome) {
    case "wrong":
      return answerPage(c, verifyView({ problem: "The code is wrong, or was used already." }), 422);
    case "ended":
      return leave(services, c, ENDED);
    case "in":
      // Without a value, Hono removes the header: the reissue of the session that was just ended.
      c.header("set-cookie");
      setSessionCookies(services, c, tried.result.session);
      return leave(services, c, tried.result.returnTo);
  }
}

function readSecret({ sessions }: VisitorServices, c: Context<HttpEnv>): string | null {
  return readPendingCookie(c.req.header("cookie"), sessions.secureCookies);
}

/** The cookie is not needed any more. */
function leave({ sessions }: VisitorServices, c: Context<HttpEnv>, path: string): Response {
  c.header("set-cookie", createPendingCookie(null, sessions.secureCookies), { append: true });
  return goTo(c, path);
}
