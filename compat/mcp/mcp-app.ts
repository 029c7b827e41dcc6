import type { Hono } from "hono";
import type { AuthServices } from "../../src/auth/authenticate.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import type { HoldBody } from "../../src/http/held-bodies.ts";
import type { RateLimit } from "../../src/http/rate-limit.ts";
import type { HttpEnv } from "../../src/http/request.ts";

/** Hono environment of /mcp. */
export type McpEnv = { Bindings: HttpEnv["Bindings"]; Variables: HttpEnv["Variables"] & { ctx: Ctx } };

export type McpServices = AuthServices & { rateLimit: RateLimit; holdBody: HoldBody };

export type McpApp = Hono<McpEnv>;
