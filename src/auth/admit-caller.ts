import type { Context, MiddlewareHandler } from "hono";
import { credentialId } from "../domain/kernel/actor.ts";
import type { Ctx } from "../domain/kernel/context.ts";
import { DomainError } from "../domain/kernel/errors.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import type { HttpEnv } from "../http/request.ts";

/** Hono environment of requests with a caller. */
export type CallerEnv = {
  Bindings: HttpEnv["Bindings"];
  Variables: HttpEnv["Variables"] & {
    ctx: Ctx;
  };
};

type Admission = {
  rateLimit: RateLimit;
  /** Creates the context of the request's credential. */
  identify: (c: Context<CallerEnv>) => Promise<Ctx>;
  /** Throws if this caller may not go on. */
  check?: (ctx: Ctx) => void;
};

/**
 * Middleware that sets the caller's context and counts the request against the rate limit of its credential,
 * before anything else is read. Throws `rate_limited` as a DomainError.
 */
export function admitCaller({ rateLimit, identify, check }: Admission): MiddlewareHandler<CallerEnv> {
  return async (c, next) => {
    const ctx = await identify(c);
    const { allowed, headers } = await rateLimit(credentialId(ctx.actor) ?? "");
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (!allowed)
      throw new DomainError(
        "rate_limited",
        "Too many requests per second. Send fewer, and wait as long as Retry-After says.",
      );
    check?.(ctx);
    ctx.signal = c.req.raw.signal;
    c.set("ctx", ctx);
    await next();
  };
}
