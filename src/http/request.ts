import type { HttpBindings } from "@hono/node-server";
import type { HonoRequest } from "hono";
import type { Logger } from "pino";

/** The environment of every HTTP API. */
export type HttpEnv = {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Includes the request id in every line. */
    log: Logger;
    /** Our own URL, never taken from the request. Without a trailing slash. */
    baseUrl: string;
    /** The client's address. */
    ip: string | null;
    ctx?: AuthenticatedCaller;
    /** The size of a body that was rendered but is not sent, because the client has it. */
    unsentBytes?: number;
  };
};

/** What the HTTP layer knows of an authenticated caller. */
export type AuthenticatedCaller = { actor: { type: string }; workspaceId: string };

/** The part of a request's context that all HTTP APIs share. */
export type Incoming = { req: HonoRequest };

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns the request's User-Agent, truncated for storage. */
export function readUserAgent(c: Incoming): string | null {
  return c.req.header("user-agent")?.slice(0, 400) ?? null;
}

/** Returns the request's W3C traceparent, or null if it is missing or malformed. */
export function readTraceparent(c: Incoming): string | null {
  const header = c.req.header("traceparent");
  return header !== undefined && TRACEPARENT.test(header) ? header : null;
}

/** Whether the URL contains a token. URLs end up in logs and histories. */
export function hasTokenInQuery(c: Incoming): boolean {
  return c.req.query("access_token") !== undefined;
}
