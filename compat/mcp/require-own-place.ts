import type { Context, Next } from "hono";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import type { McpEnv } from "./mcp-app.ts";

/**
 * Rejects what a page of another site sends, also one whose name was made to point here.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 */
export async function requireOwnPlace(c: Context<McpEnv>, next: Next): Promise<void> {
  const own = new URL(c.get("baseUrl"));
  const isLocal = isLoopback(own.hostname);
  if (isLocal && !isLoopback(new URL(c.req.url).hostname)) {
    throw new DomainError("misdirected_request", "This server does not serve the requested host.");
  }
  const origin = c.req.header("origin");
  if (origin !== undefined && origin !== own.origin && !(isLocal && isLoopback(findHost(origin)))) {
    throw new DomainError("forbidden", "Requests from another site are not allowed.");
  }
  await next();
}

function findHost(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : "";
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
