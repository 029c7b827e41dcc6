import { Hono } from "hono";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { refuseOtherMethods } from "../../src/http/refuse-other-methods.ts";
import { answerError } from "./answer-error.ts";
import { type AuthzenApp, type AuthzenEnv, echoRequestId } from "./authzen-app.ts";

const PATH = "/.well-known/authzen-configuration";

/**
 * Where the endpoints are. For everybody.
 *
 * @see https://openid.net/specs/authorization-api-1_0.html#name-policy-decision-point-metad
 */
export function authzenDiscovery(): AuthzenApp {
  const app = new Hono<AuthzenEnv>();
  app.get(PATH, echoRequestId, (c) => {
    const base = c.get("baseUrl");
    const metadata = {
      policy_decision_point: base,
      access_evaluation_endpoint: `${base}/access/v1/evaluation`,
      access_evaluations_endpoint: `${base}/access/v1/evaluations`,
      access_request_endpoint: `${base}/access/v1/requests`,
      search_subject_endpoint: `${base}/access/v1/search/subject`,
      search_resource_endpoint: `${base}/access/v1/search/resource`,
      search_action_endpoint: `${base}/access/v1/search/action`,
      capabilities: ["urn:openid:authzen:capability:access-request"],
    };
    return c.body(JSON.stringify(metadata), 200, {
      "content-type": "application/json",
      "cache-control": "public, max-age=300",
    });
  });
  refuseOtherMethods(app, (allow, c) =>
    answerError(new DomainError("method_not_allowed", `This path allows only ${allow}.`), c, { allow }),
  );
  return app;
}
