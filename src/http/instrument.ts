import { type Answered, findRoute, nameMethod } from "./answered.ts";
import type { ClientAddress } from "./client-address.ts";
import type { HttpEnv } from "./request.ts";
import type { TraceRequest } from "./trace-request.ts";
import { chargeAnswer } from "./unsent-answers.ts";
import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import { redactText } from "../domain/kernel/redact.ts";
import { v7 as uuidv7 } from "uuid";

const REQUEST_ID = /^[\w.-]{1,64}$/;

export type InstrumentOptions = {
  baseUrl: () => string;
  clientAddress: ClientAddress;
  /** Counts answers, if anybody asks for metrics. */
  observe?: ((answered: Answered) => void) | undefined;
  trace?: TraceRequest | undefined;
};

/**
 * Gives each request an id, the client's own if it is well-formed and looks like no secret, and logs one line per answer. The line
 * has the path without its query, and no headers.
 */
export function instrument(
  log: Logger,
  { baseUrl, clientAddress, observe, trace }: InstrumentOptions,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const started = performance.now();
    const given = c.req.header("x-request-id");
    const isUsable = given !== undefined && REQUEST_ID.test(given) && redactText(given) === given;
    const requestId = isUsable ? given : uuidv7();
    const requestLog = log.child({ requestId });
    const ip = clientAddress(c);
    c.set("ip", ip);
    c.set("requestId", requestId);
    c.set("log", requestLog);
    c.set("baseUrl", baseUrl());
    // Set before the answer is created: headers that are added later make the server stream the body.
    c.header("x-request-id", requestId);
    c.header("x-content-type-options", "nosniff");
    await (trace === undefined ? next() : trace(c, next));
    const caller = c.get("ctx");
    if (caller !== undefined) chargeAnswer(c.env.outgoing, caller);
    const durationMs = performance.now() - started;
    const { status } = c.res;
    observe?.({
      method: nameMethod(c.req.method),
      route: findRoute(c),
      status,
      seconds: durationMs / 1000,
    });
    requestLog.info(
      {
        method: c.req.method,
        path: redactPath(c.req.path),
        status,
        durationMs: Math.round(durationMs * 10) / 10,
        ip,
      },
      "request",
    );
  };
}

/** Matches a bearer that was put into the URL by mistake. */
const BEARER = /ag[ktsp]_[0-9A-Za-z.]+/gi;
const REDACTED = "[redacted]";
/** Longer paths are truncated in the log. */
const MAX_LENGTH = 1000;

/** Returns a path for the log: without bearers and tokens of mailed links. */
function redactPath(path: string): string {
  const shown = redactLinkToken(path).replaceAll(BEARER, REDACTED);
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
}

/** Links are `/users/{page}/{token}`, with one or more slashes, possibly percent-encoded. */
function redactLinkToken(path: string): string {
  // Segments, with the slashes between them.
  const parts = path.split(/(\/|%2f)/i);
  const filled = [...parts.keys()].filter((at) => at % 2 === 0 && parts[at] !== "");
  const users = filled.findIndex((at) => parts[at]?.toLowerCase() === "users");
  const token = users === -1 ? undefined : filled[users + 2];
  return token === undefined ? path : parts.slice(0, token).join("") + REDACTED;
}
