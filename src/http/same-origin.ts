import type { HttpBindings } from "@hono/node-server";
import type { HonoRequest } from "hono";

type Incoming = { env: HttpBindings; req: HonoRequest };

/** Whether a request comes from our own pages or from a client that is not a browser. */
export type SameOrigin = (c: Incoming) => boolean;

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Checks that unsafe requests come from our own origin: by Sec-Fetch-Site, which pages can't forge,
 * otherwise by Origin. A request with neither is not a browser's.
 *
 * @param publicBaseUrl null allows the loopback names with the request's port.
 * @see https://go.dev/src/net/http/csrf.go
 */
export function createSameOriginCheck(publicBaseUrl: string | null): SameOrigin {
  return (c) => {
    if (SAFE.has(c.req.method)) return true;
    const site = c.req.header("sec-fetch-site");
    if (site !== undefined) return site === "same-origin" || site === "none";
    const origin = c.req.header("origin");
    return origin === undefined || isOwnOrigin(publicBaseUrl, origin, c.env.incoming.socket.localPort);
  };
}

/** Whether an Origin header is this server's. */
export function isOwnOrigin(publicBaseUrl: string | null, origin: string, port: number | undefined): boolean {
  if (publicBaseUrl !== null) return origin === new URL(publicBaseUrl).origin;
  return ["127.0.0.1", "localhost", "[::1]"].some((host) => origin === `http://${host}:${port}`);
}
