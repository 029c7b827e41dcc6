import type { Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { AuthServices } from "../../src/auth/authenticate.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { toDomainError } from "../../src/domain/kernel/to-domain-error.ts";
import type { HoldBody } from "../../src/http/held-bodies.ts";
import type { RateLimit } from "../../src/http/rate-limit.ts";
import type { HttpEnv } from "../../src/http/request.ts";

/** Hono environment of the /hooks routes. */
export type HooksEnv = { Bindings: HttpEnv["Bindings"]; Variables: HttpEnv["Variables"] & { ctx: Ctx } };

export type HooksServices = AuthServices & { rateLimit: RateLimit; holdBody: HoldBody };

export type HooksApp = Hono<HooksEnv>;

/** Says why a hook gets no decision, for the user or the model, and logs it: the answer's status does not tell. */
export function explainError(error: unknown, c: Context<HooksEnv>): string {
  const known = toDomainError(error) ?? findBodyError(error);
  if (known === null) {
    c.get("log").error({ err: error }, "a hook failed");
    return `Agent Ops: something went wrong on the server (request ${c.get("requestId")})`;
  }
  c.get("log").warn({ code: known.code }, "a hook got no decision");
  return `Agent Ops: ${known.message}`;
}

/** Errors thrown by Hono itself, for a body that can't be read. */
function findBodyError(error: unknown): DomainError | null {
  if (!(error instanceof HTTPException) || error.status >= 500) return null;
  return new DomainError("invalid_body", "The body can't be read.");
}
