import { NOW, sql } from "../../db/sql.ts";
import type { Approval } from "../../db/generated/client.ts";
import type { UserActor } from "../kernel/actor.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { requireUser } from "../kernel/guard.ts";
import { type Role, isAtLeast } from "../kernel/scopes.ts";

/** A person who decides, with the role of this moment. */
export type Approver = { id: string; role: Role };

/**
 * Locks the person who decides, so that a suspension, a log-out or a change of the role is either seen or waits.
 *
 * @throws {DomainError} forbidden for anybody but people; unauthenticated if the session ended meanwhile.
 */
export async function lockApprover({ run, ctx }: Transaction): Promise<Approver> {
  const { id, session }: UserActor = requireUser(ctx);
  const [person] = await run(LOCK, [ctx.workspaceId, id, session.id]);
  if (person === undefined) throw new DomainError("unauthenticated", "You are not logged in any more.");
  return { id, role: person.role };
}

const LOCK = sql<{ role: Role }>`
SELECT u.role::text FROM "user" u
JOIN users_tokens t ON t.workspace_id = u.workspace_id AND t.user_id = u.id
WHERE u.workspace_id = $1::uuid AND u.id = $2::uuid AND u.suspended_at IS NULL AND u.deleted_at IS NULL
  AND t.id = $3::uuid AND t.context = 'session' AND t.auth_epoch = u.auth_epoch AND t.expires_at > ${NOW}
FOR SHARE OF u`;

/** @throws {DomainError} forbidden if the approval is for people with a higher role. */
export function requireApproverRole({ role }: Approver, approval: Pick<Approval, "role">): void {
  if (isAtLeast(role, approval.role)) return;
  throw new DomainError("forbidden", `Only people with the role ${approval.role} or above can decide this.`);
}
