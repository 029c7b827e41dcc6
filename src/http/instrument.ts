import type { ClientAddress } from "./client-address.ts";
import type { HttpEnv } from "./request.ts";
import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";

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

/** A bearer that a caller put into the address by mistake. */
const BEARER = /ag[ktsp]_[0-9A-Za-z.]+/gi;
const REDACTED = "[redacted]";
/** A longer one is logged up to here. */
const MAX_LENGTH = 1000;

/** A path as it may be logged: without bearers, and without what follows the page of a mailed link. */
function redactPath(path: string): string {
  const shown = redactLinkToken(path).replaceAll(BEARER, REDACTED);
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
}

/** Links are `/users/{page}/{token}`, with one or more slashes, which may be encoded. */
function redactLinkToken(path: string): string {
  // Segments, and between them the slashes.
  const parts = path.split(/(\/|%2f)/i);
  const filled = [...parts.keys()].filter((at) => at % 2 === 0 && parts[at] !== "");
  const users = filled.findIndex((at) => parts[at]?.toLowerCase() === "users");
  const token = users === -1 ? undefined : filled[users + 2];
  return token === undefined ? path : parts.slice(0, token).join("") + REDACTED;
}
