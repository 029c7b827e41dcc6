import type { MiddlewareHandler } from "hono";
import { admitCaller } from "../../src/auth/admit-caller.ts";
import { identify } from "../../src/auth/identify.ts";
import { getBodyHolder } from "../../src/domain/kernel/actor.ts";
import { createBodyError } from "../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import { limitBody } from "../../src/http/limit-body.ts";
import type { McpEnv, McpServices } from "./mcp-app.ts";
import { requireOwnPlace } from "./require-own-place.ts";

/** Origin and host, authentication by bearer and rate limit, then the size of the body. */
export function guardRequest({
  holdBody,
  rateLimit,
  ...services
}: McpServices): [
  place: MiddlewareHandler<McpEnv>,
  admit: MiddlewareHandler<McpEnv>,
  limit: MiddlewareHandler<McpEnv>,
] {
  return [
    requireOwnPlace,
    admitCaller({ rateLimit, identify: (c) => identify(services, c) }),
    limitBody<McpEnv>({
      maxBytes: LIMITS.requestBytes,
      holdBody,
      getHolder: (c) => getBodyHolder(c.get("ctx")),
      createError: createBodyError,
    }),
  ];
}
