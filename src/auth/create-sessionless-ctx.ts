import { type Ctx, openCtx, systemCaller } from "../domain/kernel/context.ts";
import type { Services } from "../domain/kernel/services.ts";
import type { Role } from "../domain/kernel/scopes.ts";
import type { ClientInfo } from "./sessions/client-info.ts";

/**
 * Creates the context of a person without a session: one who is logging in or has opened a mailed link. Use
 * cases that require a logged-in person reject it.
 */
export function createSessionlessCtx(
  services: Services & { now: Date | null },
  { id, workspaceId, name, role }: { id: string; workspaceId: string; name: string; role: Role },
  seen: ClientInfo,
): Ctx {
  const actor = { type: "user", id, name, role, session: null } as const;
  return openCtx(services, { ...systemCaller(workspaceId, name), ...seen, actor }, services.now);
}
