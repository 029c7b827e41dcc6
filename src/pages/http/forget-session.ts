import type { Context } from "hono";
import { clearSessionCookies } from "../../auth/sessions/session-cookies.ts";
import type { SessionServices } from "../../auth/sessions/session-services.ts";
import type { HttpEnv } from "../../http/request.ts";

/** Clears the browser's session cookie, even if this response has just set one. */
export function forgetSession<Env extends HttpEnv>({ sessions }: SessionServices, c: Context<Env>): void {
  // Without a value, Hono removes the header.
  c.header("set-cookie");
  for (const cookie of clearSessionCookies(sessions.secureCookies)) {
    c.header("set-cookie", cookie, { append: true });
  }
}
