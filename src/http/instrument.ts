import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";
import type { ClientAddress } from "./client-address.ts";
import { redactPath } from "./redact-path.ts";
import type { HttpEnv } from "./request.ts";

const REQUEST_ID = /^[\w.-]{1,64}$/;

/**
 * Gives each request its id, the caller's own where it is well-formed, and writes one line of log when it
 * is answered. The line holds the path without its query, and no header.
 */
export function instrument(
  log: Logger,
  { baseUrl, clientAddress }: { baseUrl: () => string; clientAddress: ClientAddress },
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const started = performance.now();
    const given = c.req.header("x-request-id");
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : uuidv7();
    const requestLog = log.child({ requestId });
    const ip = clientAddress(c);
    c.set("ip", ip);
    c.set("requestId", requestId);
    c.set("log", requestLog);
    c.set("baseUrl", baseUrl());
    // Before the answer is made: to add to its headers afterwards would make the server stream its body.
    c.header("x-request-id", requestId);
    c.header("x-content-type-options", "nosniff");
    await next();
    requestLog.info(
      {
        method: c.req.method,
        path: redactPath(c.req.path),
        status: c.res.status,
        durationMs: Math.round((performance.now() - started) * 10) / 10,
        ip,
      },
      "request",
    );
  };
}
