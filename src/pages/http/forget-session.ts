import type { Context } from "hono";
import { clearSessionCookies } from "../../auth/sessions/session-cookies.ts";
import type { SessionServices } from "../../auth/sessions/session-services.ts";
import type { HttpEnv } from "../../http/request.ts";

/** Makes the browser forget its session, even one that was handed to it in this answer. */
export function forgetSession<Env extends HttpEnv>({ sessions }: SessionServices, c: Context<Env>): void {
  // Without a value the header goes.
  c.header("set-cookie");
  for (const cookie of clearSessionCookies(sessions.secureCookies)) {
    c.header("set-cookie", cookie, { append: true });
  }
}
