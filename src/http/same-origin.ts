import type { HttpBindings } from "@hono/node-server";
import type { HonoRequest } from "hono";

type Incoming = { env: HttpBindings; req: HonoRequest };

/** Whether a request comes from one of our own pages, or from no browser at all. */
export type SameOrigin = (c: Incoming) => boolean;

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Holds unsafe requests to our own origin: by Sec-Fetch-Site, which no page can forge, else by Origin.
 * A request with neither is not a browser's.
 *
 * @param publicBaseUrl null allows the loopback names on the port that the request came to.
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

/** Whether an Origin header names this server. */
export function isOwnOrigin(publicBaseUrl: string | null, origin: string, port: number | undefined): boolean {
  if (publicBaseUrl !== null) return origin === new URL(publicBaseUrl).origin;
  return ["127.0.0.1", "localhost", "[::1]"].some((host) => origin === `http://${host}:${port}`);
}
