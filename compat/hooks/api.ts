import { Hono, type MiddlewareHandler } from "hono";
import { admitCaller } from "../../src/auth/admit-caller.ts";
import { identify } from "../../src/auth/identify.ts";
import { getBodyHolder } from "../../src/domain/kernel/actor.ts";
import { DomainError, createBodyError } from "../../src/domain/kernel/errors.ts";
import { requireScope } from "../../src/domain/kernel/guard.ts";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import { limitBody } from "../../src/http/limit-body.ts";
import { refuse } from "./refuse.ts";
import { type HooksApp, type HooksEnv, type HooksServices, explainError } from "./hooks-app.ts";
import { endToolUse } from "./post-tool-use.ts";
import { decideToolUse } from "./pre-tool-use.ts";

/**
 * All routes of /hooks, where coding agents ask before they run a tool. Whatever happens, the answer is 200 with
 * a decision: they take anything else as if there were no hook.
 */
export function hooksApi(services: HooksServices): HooksApp {
  const api = new Hono<HooksEnv>();
  api.onError((error, c) => refuse(c, explainError(error, c)));
  const guard = guardRequest(services);
  api.post("/pre-tool-use", ...guard, (c) => decideToolUse(c, services.rateLimit));
  api.post("/post-tool-use", ...guard, endToolUse);
  api.all("*", () => {
    throw new DomainError("not_found", "Hooks are POST /hooks/pre-tool-use and /hooks/post-tool-use.");
  });
  return api;
}

/** Authentication, rate limit and scope, then the size of the body. */
function guardRequest({
  holdBody,
  rateLimit,
  ...services
}: HooksServices): [admit: MiddlewareHandler<HooksEnv>, limit: MiddlewareHandler<HooksEnv>] {
  return [
    admitCaller({
      rateLimit,
      identify: (c) => identify(services, c),
      check: (ctx) => requireScope(ctx, "gateway:check"),
    }),
    limitBody<HooksEnv>({
      maxBytes: LIMITS.bodyBytes,
      holdBody,
      getHolder: (c) => getBodyHolder(c.get("ctx")),
      createError: createBodyError,
    }),
  ];
}
