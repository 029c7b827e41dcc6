import type { MiddlewareHandler } from "hono";
import { admitCaller } from "../../../src/auth/admit-caller.ts";
import { identify } from "../../../src/auth/identify.ts";
import { getBodyHolder } from "../../../src/domain/kernel/actor.ts";
import { createBodyError } from "../../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { limitBody } from "../../../src/http/limit-body.ts";
import type { A2aEnv, A2aServices } from "../a2a-app.ts";

/** Authentication by bearer and rate limit, then the size of the body. */
export function guardRequest({
  holdBody,
  rateLimit,
  ...services
}: A2aServices): [admit: MiddlewareHandler<A2aEnv>, limit: MiddlewareHandler<A2aEnv>] {
  return [
    admitCaller({ rateLimit, identify: (c) => identify(services, c) }),
    limitBody<A2aEnv>({
      maxBytes: LIMITS.requestBytes,
      holdBody,
      getHolder: (c) => getBodyHolder(c.get("ctx")),
      createError: createBodyError,
    }),
  ];
}
