import type { Context } from "hono";
import { setSessionCookies } from "../../auth/sessions/identify-session.ts";
import type { SessionServices } from "../../auth/sessions/session-services.ts";
import type { NewSession } from "../../domain/kernel/context.ts";
import type { HttpEnv } from "../../http/request.ts";

/** Sets the cookies of a new session instead of the reissue of the one that it replaced. */
export function enterSession<Env extends HttpEnv>(
  services: SessionServices,
  c: Context<Env>,
  session: NewSession,
): void {
  // Without a value, Hono removes the header.
  c.header("set-cookie");
  setSessionCookies(services, c, session);
}
