import type { HoldBody } from "../http/held-bodies.ts";
import type { HttpEnv } from "../http/request.ts";
import { confirmEmailRoutes } from "./confirm-email/routes.ts";
import { confirmPasswordRoutes } from "./confirm-password/routes.ts";
import { DASHBOARD_PLACES, dashboardRoutes } from "./dashboard/routes.ts";
import { answerError, answerNotFound } from "./errors/answer-error.ts";
import { EXPLORER_PATH, explorerRoutes } from "./explorer/routes.ts";
import { floorPlanRoutes } from "./floor-plans/routes.ts";
import { forgotPasswordRoutes } from "./forgot-password/routes.ts";
import { limitForm } from "./http/read-form.ts";
import { secureHeaders } from "./http/secure-headers.ts";
import { requireSameOrigin } from "./http/visitor.ts";
import { invitationRoutes } from "./invitation/routes.ts";
import { logInRoutes } from "./log-in/routes.ts";
import { verifyRoutes } from "./log-in/verify-routes.ts";
import { logOutRoutes } from "./log-out/routes.ts";
import { mailboxRoutes } from "./mailbox/routes.ts";
import { providerSignInRoutes } from "./provider-sign-in/routes.ts";
import { passkeyLogInRoutes } from "./log-in/passkey-routes.ts";
import type { PagesServices } from "./pages-services.ts";
import { resetPasswordRoutes } from "./reset-password/routes.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { assetRoutes } from "./style/routes.ts";
import { unsubscribeRoutes } from "./unsubscribe/routes.ts";
import { type Context, Hono } from "hono";

export type PagesConfig = { development: boolean; publicBaseUrl: string | null; dataDir: string };

/** Paths of pages for people. All others belong to APIs. */
const PLACES = [...DASHBOARD_PLACES, EXPLORER_PATH, "/users/*", "/settings/*", "/dev/*"];
const PROGRAMS = /^\/(?:api|scim|graphql|problems|healthz|readyz)(?:\/|$)/;

/** All pages for people: the dashboard, and pages that work without scripts. Mount it at the root, after all APIs. */
export function pagesRoutes(
  services: PagesServices & { holdBody: HoldBody },
  { development, publicBaseUrl, dataDir }: PagesConfig,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const secure = secureHeaders(publicBaseUrl);
  const limit = limitForm(services.holdBody);
  app.onError(answerError);
  app.route("/", assetRoutes());
  for (const place of PLACES) app.use(place, secure, requireSameOrigin(services), limit);
  app.route("/", dashboardRoutes(services, { rereads: development }));
  app.route("/", explorerRoutes(services));
  app.route("/", floorPlanRoutes(services, { publicBaseUrl }));
  app.route("/", logInRoutes(services));
  app.route("/", verifyRoutes(services));
  app.route("/", passkeyLogInRoutes(services));
  app.route("/", providerSignInRoutes(services));
  app.route("/", logOutRoutes(services));
  app.route("/", forgotPasswordRoutes(services));
  app.route("/", resetPasswordRoutes(services));
  app.route("/", invitationRoutes(services));
  app.route("/", confirmEmailRoutes(services));
  app.route("/", confirmPasswordRoutes(services));
  app.route("/", unsubscribeRoutes(services));
  app.route("/", settingsRoutes(services));
  if (development) app.route("/", mailboxRoutes(services, dataDir));
  app.all("*", (c, next) => (wantsPage(c) ? next() : c.notFound()), secure, answerNotFound);
  return app;
}

function wantsPage(c: Context<HttpEnv>): boolean {
  return !PROGRAMS.test(c.req.path) && (c.req.header("accept") ?? "").includes("text/html");
}
