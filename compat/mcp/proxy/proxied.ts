import type { Context } from "hono";
import type { McpEnv } from "../mcp-app.ts";

/** A request to a server of somebody else, as the proxy got it. */
export type Proxied = {
  slug: string;
  /** The client's session with the server, sealed. */
  session: string | null;
  tracestate: string | null;
  /** Headers of the answer. */
  answered: Record<string, string>;
};

export const SESSION_HEADER = "mcp-session-id";

export function readProxied(c: Context<McpEnv, "/proxy/:slug">): Proxied {
  const tracestate = c.req.header("tracestate") ?? null;
  return {
    slug: c.req.param("slug"),
    session: c.req.header(SESSION_HEADER) ?? null,
    tracestate,
    answered: {},
  };
}
