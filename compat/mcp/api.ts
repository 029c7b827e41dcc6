import { Hono } from "hono";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { refuseOtherMethods } from "../../src/http/refuse-other-methods.ts";
import { answerError } from "./answer-error.ts";
import { guardRequest } from "./guard-request.ts";
import type { McpApp, McpEnv, McpServices } from "./mcp-app.ts";
import { createMethods } from "./methods.ts";
import { endProxySession, serveProxy } from "./proxy/serve-proxy.ts";
import { serve } from "./serve.ts";
import { SURFACE } from "./surface.ts";

/**
 * The route /mcp: an MCP server that keeps nothing between requests, so that every node answers each. And
 * /mcp/proxy/:slug, behind which are the servers of others.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export function mcpApi(services: McpServices): McpApp {
  const api = new Hono<McpEnv>();
  const methods = createMethods(SURFACE);
  api.onError((error, c) => answerError(error, c));
  api.post("/", ...guardRequest(services), (c) => serve(c, methods, services.rateLimit));
  api.post("/proxy/:slug", ...guardRequest(services), serveProxy);
  api.delete("/proxy/:slug", ...guardRequest(services), endProxySession);
  refuseOtherMethods(api, (allow, c) =>
    answerError(new DomainError("method_not_allowed", `This path allows only ${allow}.`), c, {
      headers: { allow },
    }),
  );
  return api;
}
