import { type Ctx, type Services, openCtx, systemCaller } from "../domain/kernel/context.ts";
import type { Role } from "../domain/kernel/scopes.ts";
import type { ClientInfo } from "./sessions/client-info.ts";

/**
 * The context of a person who acts as himself without a session: who is about to be logged in, or follows
 * a mailed link. What asks for a person who is logged in refuses him.
 */
export function createSessionlessCtx(
  services: Services & { now: Date | null },
  { id, workspaceId, name, role }: { id: string; workspaceId: string; name: string; role: Role },
  seen: ClientInfo,
): Ctx {
  const actor = { type: "user", id, name, role, session: null } as const;
  return openCtx(services, { ...systemCaller(workspaceId, name), ...seen, actor }, services.now);
}
