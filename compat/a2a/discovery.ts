import { createHash } from "node:crypto";
import { Hono } from "hono";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { refuseOtherMethods } from "../../src/http/refuse-other-methods.ts";
import type { A2aApp, A2aEnv } from "./a2a-app.ts";
import { createAgentCard } from "./agent-card.ts";
import { answerHttpError } from "./bindings/http-error.ts";

/**
 * The card that says where the bindings are. For everybody.
 *
 * @see https://a2a-protocol.org/latest/specification/#82-discovery-mechanisms
 */
export function a2aDiscovery(): A2aApp {
  const app = new Hono<A2aEnv>();
  app.get("/.well-known/agent-card.json", (c) => {
    const card = JSON.stringify(createAgentCard(c.get("baseUrl")));
    const etag = `"${createHash("sha256").update(card).digest("base64url").slice(0, 27)}"`;
    const headers = { etag, "cache-control": "public, max-age=300" };
    if (c.req.header("if-none-match") === etag) return c.body(null, 304, headers);
    return c.body(card, 200, { ...headers, "content-type": "application/json" });
  });
  refuseOtherMethods(app, (allow, c) =>
    answerHttpError(new DomainError("method_not_allowed", `This path allows only ${allow}.`), c, { allow }),
  );
  return app;
}
