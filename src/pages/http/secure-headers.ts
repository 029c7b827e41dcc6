import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "../../http/request.ts";

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** What the dashboard's page may do beside: run its own scripts, and ask this server. */
export const DASHBOARD_POLICY = `${POLICY}; script-src 'self'; connect-src 'self'`;

const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  // Not no-referrer: under that a page's own forms are posted with `Origin: null`.
  "referrer-policy": "strict-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex",
};

/** Sets what every page has: it is kept nowhere, framed nowhere, runs no script and loads nothing of others. */
export function secureHeaders(publicBaseUrl: string | null): MiddlewareHandler<HttpEnv> {
  const isHttps = publicBaseUrl?.startsWith("https:") === true;
  const headers = { ...HEADERS, ...(isHttps && { "strict-transport-security": "max-age=31536000" }) };
  return async (c, next) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    await next();
  };
}
