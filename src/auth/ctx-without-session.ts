import { type Ctx, type Services, openCtx, systemCaller } from "../domain/context.ts";
import type { Role } from "../domain/scopes.ts";
import type { Seen } from "./sessions/seen.ts";

/**
 * The context of a person who acts as himself without a session: who is about to be logged in, or follows
 * a mailed link. What asks for a person who is logged in refuses him.
 */
export function ctxWithoutSession(
  services: Services & { now: Date | null },
  { id, workspaceId, name, role }: { id: string; workspaceId: string; name: string; role: Role },
  seen: Seen,
): Ctx {
  const actor = { type: "user", id, name, role, session: null } as const;
  return openCtx(services, { ...systemCaller(workspaceId, name), ...seen, actor }, services.now);
}
