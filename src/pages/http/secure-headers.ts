import type { Context, MiddlewareHandler, Next } from "hono";
import type { HttpEnv } from "../../http/request.ts";

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The policy for the dashboard and the settings, which also run its scripts and call this server. */
export const DASHBOARD_POLICY = `${POLICY}; script-src 'self'; connect-src 'self'`;

/** The policy for pages that make or use passkeys, which run one script. */
export const PASSKEY_POLICY = `${POLICY}; script-src 'self'`;

const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  // Not no-referrer, because browsers would then send our own forms with `Origin: null`.
  "referrer-policy": "strict-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex",
};

/** Sets security headers: pages are not cached or framed, load nothing external, and run no scripts unless a route says so. */
export function secureHeaders(publicBaseUrl: string | null): MiddlewareHandler<HttpEnv> {
  const isHttps = publicBaseUrl?.startsWith("https:") === true;
  const headers = { ...HEADERS, ...(isHttps && { "strict-transport-security": "max-age=31536000" }) };
  return async (c, next) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    await next();
  };
}

/** Allows the dashboard's scripts on a page. */
export async function withDashboard(c: Context<HttpEnv>, next: Next): Promise<void> {
  c.header("content-security-policy", DASHBOARD_POLICY);
  await next();
}
