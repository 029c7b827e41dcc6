import { type Context, Hono } from "hono";
import { findSite } from "../../../auth/passkeys/site.ts";
import { createFieldError } from "../../../domain/kernel/errors.ts";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { toGlobalId } from "../../../schema/global-id.ts";
import type { Html } from "../../html.ts";
import { answerFormError, answerPage, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type SubmittedForm, readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import { getNow, toVisitor } from "../frame.ts";
import { answerCeremony } from "../../passkey/answer-ceremony.ts";
import { codesView } from "./codes-view.ts";
import {
  AddAuthenticatorApp,
  AddPasskey,
  BeginAuthenticatorApp,
  BeginPasskey,
  ReadSecurity,
  ReadSelf,
  RemoveAuthenticatorApp,
  RemovePasskey,
  RenewRecoveryCodes,
  RevokeOtherSessions,
  RevokeSession,
} from "./operations.ts";
import { passkeyPage } from "./passkey-page.ts";
import { setupView } from "./setup-view.ts";
import { securityView } from "./view.ts";

const PATH = "/settings/security";

/** /settings/security: the user's second factors and sessions. */
export function securityRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, PATH, {
    GET: async (c) => answerPage(c, await page(c, null)),
    POST: async (c) => {
      const form = await readForm(c);
      const tried = await attempt(() => act(c, form));
      if (tried.error === null) return tried.result;
      return answerFormError(c, await pageAfter(c, form, formErrors(tried.error, LABELS)), tried.error);
    },
  });
  return app;
}

const LABELS = { code: "The code", name: "The name", response: "The passkey" };

async function act(c: Context<PageEnv>, form: SubmittedForm): Promise<Response> {
  const ctx = c.get("ctx");
  switch (form.one("act")) {
    case "begin-app":
      return answerPage(c, await setupPage(c, null));
    case "add-app": {
      const input = { setup: form.one("setup"), code: form.one("code") };
      const { recoveryCodes } = (await execute(ctx, AddAuthenticatorApp, input)).addAuthenticatorApp;
      return recoveryCodes === null ? goTo(c, `${PATH}?notice=added`) : showCodes(c, recoveryCodes);
    }
    case "remove-app":
      await execute(ctx, RemoveAuthenticatorApp, {});
      return goTo(c, `${PATH}?notice=removed`);
    case "begin-passkey":
      return answerCeremony(c, passkeyPage((await execute(ctx, BeginPasskey, {})).beginPasskey.options));
    case "add-passkey": {
      const input = { name: form.one("name"), response: form.one("response") };
      const { recoveryCodes } = (await execute(ctx, AddPasskey, input)).addPasskey;
      return recoveryCodes === null ? goTo(c, `${PATH}?notice=passkey-added`) : showCodes(c, recoveryCodes);
    }
    case "remove-passkey":
      await execute(ctx, RemovePasskey, { id: form.one("id") });
      return goTo(c, `${PATH}?notice=passkey-removed`);
    case "renew-codes":
      return showCodes(c, (await execute(ctx, RenewRecoveryCodes, {})).renewRecoveryCodes.recoveryCodes);
    case "revoke":
      await execute(ctx, RevokeSession, { id: toGlobalId("Session", form.one("id")) });
      return goTo(c, `${PATH}?notice=revoked`);
    case "revoke-others":
      await execute(ctx, RevokeOtherSessions, {});
      return goTo(c, `${PATH}?notice=others-revoked`);
    default:
      throw createFieldError("act", "is unknown");
  }
}

/** After a wrong code, the app's secret is shown again. */
async function pageAfter(c: Context<PageEnv>, form: SubmittedForm, errors: FormErrors): Promise<Html> {
  if (errors.fields["code"] === undefined) return page(c, errors);
  return setupPage(c, { setup: form.one("setup"), errors });
}

async function setupPage(
  c: Context<PageEnv>,
  again: { setup: string; errors: FormErrors } | null,
): Promise<Html> {
  const setup = again?.setup ?? null;
  const begun = (await execute(c.get("ctx"), BeginAuthenticatorApp, { setup })).beginAuthenticatorApp;
  const visitor = toVisitor(await execute(c.get("ctx"), ReadSelf, {}));
  return setupView({ visitor, ...begun, errors: again?.errors ?? null });
}

async function showCodes(c: Context<PageEnv>, codes: readonly string[]): Promise<Response> {
  const visitor = toVisitor(await execute(c.get("ctx"), ReadSelf, {}));
  return answerPage(c, codesView({ visitor, codes }));
}

async function page(c: Context<PageEnv>, errors: FormErrors | null): Promise<Html> {
  const data = await execute(c.get("ctx"), ReadSecurity, {});
  return securityView({
    visitor: toVisitor(data),
    factors: data.secondFactors,
    sessions: data.sessions,
    hasPasskeys: findSite(c.get("ctx").services) !== null,
    ...requireUser(c.get("ctx")).session,
    now: getNow(c),
    notice: c.req.query("notice"),
    errors,
  });
}
