import { Hono } from "hono";
import { getPath } from "hono/utils/url";
import { a2aApi } from "../compat/a2a/api.ts";
import { authzenApi } from "../compat/authzen/api.ts";
import { authzenDiscovery } from "../compat/authzen/discovery.ts";
import { alwaysDecide } from "../compat/hooks/always-decide.ts";
import { hooksApi } from "../compat/hooks/api.ts";
import { mcpApi } from "../compat/mcp/api.ts";
import { mcpRegistration } from "../compat/mcp/registration.ts";
import { oauthApi } from "../compat/oauth/api.ts";
import { otlpApi } from "../compat/otlp/api.ts";
import { restApi } from "../compat/rest/api.ts";
import { scimApi } from "../compat/scim/api.ts";
import { toCanonicalPath } from "../compat/scim/to-canonical-path.ts";
import { BUILD } from "./config/build.ts";
import type { Config } from "./config/config.ts";
import { credentialId } from "./domain/kernel/actor.ts";
import type { Ctx } from "./domain/kernel/context.ts";
import { ERRORS } from "./domain/kernel/errors.ts";
import { takeReadBytes } from "./domain/kernel/read-bytes.ts";
import { createGateway } from "./gateway/gateway.ts";
import type { OperationLimits } from "./gateway/operation-limits.ts";
import { allowHosts } from "./http/allowed-hosts.ts";
import type { Answered } from "./http/answered.ts";
import { chargeAnswers } from "./http/charge-answers.ts";
import { healthRoutes } from "./http/health.ts";
import { createClientAddress } from "./http/client-address.ts";
import { instrument } from "./http/instrument.ts";
import { refuseOtherMethods } from "./http/refuse-other-methods.ts";
import { requireSoundRequest } from "./http/require-sound-request.ts";
import { answerProblem } from "./http/problem.ts";
import type { HttpEnv } from "./http/request.ts";
import { pagesRoutes } from "./pages/pages.ts";
import type { PagesServices } from "./pages/pages-services.ts";
import type { OpenServices } from "./services.ts";

/** The options of the app besides its services. */
export type AppOptions = {
  /** The limits that sockets use too. */
  operationLimits: OperationLimits;
  /** Whether the process accepts work. */
  isReady: () => Promise<boolean>;
  /** Counts answers, if anybody asks for metrics. */
  observe?: ((answered: Answered) => void) | undefined;
};

type AppServices = PagesServices & Pick<OpenServices, "rateLimit" | "holdBody" | "issuerKeys" | "tracing">;

/** Combines the APIs and the pages into one app. */
export function createApp(
  config: Config,
  services: AppServices,
  { operationLimits, isReady, observe }: AppOptions,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ getPath: (request) => toCanonicalPath(getPath(request)) });
  const clientAddress = createClientAddress(config.trustedProxies);
  app.use(
    instrument(services.log, {
      baseUrl: services.baseUrl,
      clientAddress,
      observe,
      trace: services.tracing?.request,
    }),
  );
  app.use("/hooks/*", alwaysDecide);
  app.use(requireSoundRequest);
  // Every API's caller is a Ctx.
  app.use(
    chargeAnswers({
      chargeBytes: services.rateLimit.chargeBytes,
      getKey: (caller) => credentialId((caller as Ctx).actor) ?? "",
      takeReadBytes,
    }),
  );
  app.route("/", healthRoutes(isReady));
  app.use(allowHosts(config.allowedHosts));
  app.get("/problems/:slug", (c) => {
    const code = c.req.param("slug").replaceAll("-", "_");
    const known = Object.entries(ERRORS).find(([name]) => name === code);
    return known === undefined ? c.notFound() : c.text(`${known[1].title}\n\nStatus ${known[1].status}\n`);
  });
  refuseOtherMethods(app, (allow, c) => {
    const detail = `This path allows ${allow}.`;
    return answerProblem(c, { ...ERRORS.method_not_allowed, code: "method_not_allowed", detail }, { allow });
  });
  mountApis(app, services, { config, operationLimits });
  app.notFound((c) =>
    answerProblem(c, { ...ERRORS.not_found, code: "not_found", detail: "There is nothing at this path." }),
  );
  app.onError((error, c) => {
    c.get("log").error({ err: error }, "a request failed");
    const detail = "Something went wrong on our side.";
    return answerProblem(c, { ...ERRORS.internal, code: "internal", detail });
  });
  return app;
}

function mountApis(
  app: Hono<HttpEnv>,
  services: AppServices,
  { config, operationLimits }: { config: Config; operationLimits: OperationLimits },
): void {
  app.route("/", otlpApi(services, config.otlpMaxBytes));
  app.route("/api/v1", restApi({ ...services, build: BUILD }));
  app.route("/scim/v2", scimApi(services));
  app.route("/access/v1", authzenApi(services));
  app.route("/", authzenDiscovery());
  app.route("/hooks", hooksApi(services));
  app.route("/", oauthApi(services));
  app.route("/mcp", mcpApi(services));
  app.route("/", mcpRegistration());
  app.route("/", a2aApi(services));
  app.route("/", createGateway(services, operationLimits));
  app.route("/", pagesRoutes(services, config));
}
