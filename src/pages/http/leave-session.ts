import type { Context } from "hono";
import { logOut } from "../../auth/sessions/log-out.ts";
import type { HttpEnv } from "../../http/request.ts";
import type { PagesServices } from "../pages-services.ts";
import { forgetSession } from "./forget-session.ts";
import { findVisitor } from "./visitor.ts";

/** Ends the browser's session: the person who opened a mailed link may not be the one logged in. */
export async function leaveSession(services: PagesServices, c: Context<HttpEnv>): Promise<void> {
  const visitor = await findVisitor(services, c);
  if (visitor !== null) await logOut(visitor);
  forgetSession(services, c);
}
