import type { HttpBindings } from "@hono/node-server";
import type { HonoRequest } from "hono";
import type { Logger } from "pino";

/** What every request of an HTTP door carries. */
export type HttpEnv = {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Names the request in every line. */
    log: Logger;
    /** Where we are reached: never what the caller says of it. Without a trailing slash. */
    baseUrl: string;
    /** The caller's address. */
    ip: string | null;
  };
};

/** The part of a request's context that is the same for every door. */
type Incoming = { req: HonoRequest };

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The request's User-Agent, cut to what is worth keeping. */
export function readUserAgent(c: Incoming): string | null {
  return c.req.header("user-agent")?.slice(0, 400) ?? null;
}

/** The request's W3C traceparent, or null where there is none that is well-formed. */
export function readTraceparent(c: Incoming): string | null {
  const header = c.req.header("traceparent");
  return header !== undefined && TRACEPARENT.test(header) ? header : null;
}

/** Whether the address carries a token, which ends up in logs and histories. */
export function hasTokenInQuery(c: Incoming): boolean {
  return c.req.query("access_token") !== undefined;
}
