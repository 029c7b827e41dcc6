import { authenticateSession } from "../../src/auth/sessions/authenticate-session.ts";
import { type Ctx, openCtx } from "../../src/domain/kernel/context.ts";
import { SEEN } from "./people.ts";
import type { TestServer } from "./server.ts";

/** The context of a user's request, by the session's token. */
export async function openSessionCtx(server: TestServer, token: string): Promise<Ctx> {
  const found = await authenticateSession(server.services, { session: [token], rememberMe: [] }, SEEN);
  if (found === null) throw new Error("the session is not valid");
  const { actor, known } = found;
  const caller = { ...SEEN, actor, workspaceId: known.workspaceId, traceparent: null, idempotency: null };
  return openCtx(server.services, { ...caller, handSession: () => {} }, server.services.now);
}
