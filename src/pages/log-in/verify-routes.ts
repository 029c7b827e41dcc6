import { type Context, Hono } from "hono";
import type { VisitorServices } from "../../auth/identify.ts";
import { beginPasskeyVerification } from "../../auth/passkeys/begin-passkey-use.ts";
import { findSite } from "../../auth/passkeys/site.ts";
import { getClientInfo } from "../../auth/sessions/identify-session.ts";
import { createPendingCookie, readPendingCookie } from "../../auth/sessions/pending-log-in-cookie.ts";
import { type PendingLogIn, findPendingLogIn } from "../../auth/sessions/pending-log-in.ts";
import { verifyLogIn } from "../../auth/sessions/verify-log-in.ts";
import type { HttpEnv } from "../../http/request.ts";
import type { Html } from "../html.ts";
import { answerFormError, answerPage, goTo } from "../http/answer.ts";
import { enterSession } from "../http/enter-session.ts";
import { attempt } from "../http/attempt.ts";
import { pageRoute } from "../http/page-route.ts";
import { type SubmittedForm, readForm } from "../http/read-form.ts";
import { findVisitor } from "../http/visitor.ts";
import { answerCeremony } from "../passkey/answer-ceremony.ts";
import { verifyView } from "./verify-view.ts";

/** Where a log-in with a right password goes on, for people with a second factor. */
export const VERIFY_PATH = "/users/log-in/verify";

const ENDED = "/users/log-in?notice=ended";

/** /users/log-in/verify: asks for the second factor, and then logs the person in. */
export function verifyRoutes(services: VisitorServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, VERIFY_PATH, {
    GET: async (c) => {
      const pending = await findPending(services, c);
      return pending === null ? leave(services, c, ENDED) : answerPage(c, view(services, pending));
    },
    POST: async (c) => {
      const form = await readForm(c);
      const pending = await findPending(services, c);
      if (pending === null) return leave(services, c, ENDED);
      const tried = await attempt(() =>
        form.one("act") === "begin-passkey"
          ? begin(services, c, pending)
          : submit(services, c, { form, pending }),
      );
      if (tried.error === null) return tried.result;
      return answerFormError(c, view(services, pending, tried.error.message), tried.error);
    },
  });
  return app;
}

async function begin(
  services: VisitorServices,
  c: Context<HttpEnv>,
  pending: PendingLogIn,
): Promise<Response> {
  return answerCeremony(c, {
    title: "Use your passkey",
    lead: "It takes the place of a code.",
    button: "Use a passkey",
    kind: "get",
    options: await beginPasskeyVerification(services, pending),
    action: VERIFY_PATH,
    hidden: { act: "passkey" },
    back: VERIFY_PATH,
  });
}

async function submit(
  services: VisitorServices,
  c: Context<HttpEnv>,
  { form, pending }: { form: SubmittedForm; pending: PendingLogIn },
): Promise<Response> {
  const isPasskey = form.one("act") === "passkey";
  const proof = isPasskey ? { passkey: form.one("response") } : { code: form.one("code") };
  const input = { secret: readSecret(services, c), proof, replaces: await findVisitor(services, c) };
  const verified = await verifyLogIn(services, input, getClientInfo(c));
  switch (verified.outcome) {
    case "wrong":
      return answerPage(c, view(services, pending, isPasskey ? WRONG_PASSKEY : WRONG_CODE), 422);
    case "ended":
      return leave(services, c, ENDED);
    case "in":
      enterSession(services, c, verified.session);
      return leave(services, c, verified.returnTo);
  }
}

const WRONG_CODE = "The code is wrong, or was used already.";
const WRONG_PASSKEY = "The passkey was not accepted.";

function view(services: VisitorServices, { hasPasskey }: PendingLogIn, problem: string | null = null): Html {
  return verifyView({ problem, hasPasskey: hasPasskey && findSite(services) !== null });
}

async function findPending(services: VisitorServices, c: Context<HttpEnv>): Promise<PendingLogIn | null> {
  const secret = readSecret(services, c);
  return secret === null ? null : findPendingLogIn(services, secret);
}

function readSecret({ sessions }: VisitorServices, c: Context<HttpEnv>): string | null {
  return readPendingCookie(c.req.header("cookie"), sessions.secureCookies);
}

/** The cookie is not needed any more. */
function leave({ sessions }: VisitorServices, c: Context<HttpEnv>, path: string): Response {
  c.header("set-cookie", createPendingCookie(null, sessions.secureCookies), { append: true });
  return goTo(c, path);
}
