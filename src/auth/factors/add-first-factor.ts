import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import type { LockedUser } from "../../domain/users/lock-user.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";

/**
 * What the caller's first factor brings: recovery codes, and the end of their other sessions. This session counts as
 * one with a factor.
 *
 * @returns the recovery codes.
 */
export async function addFirstFactor(tx: Transaction, { id: userId }: LockedUser): Promise<string[]> {
  const { familyId } = requireUser(tx.ctx).session;
  append(tx, await endSessions(tx, userId, { which: { exceptFamilyId: familyId }, reason: "factor_added" }));
  await tx.run(MARK, [tx.ctx.workspaceId, familyId]);
  return replaceRecoveryCodes(tx, userId);
}

const MARK = sql`
UPDATE users_tokens SET mfa_at = ${NOW}
WHERE workspace_id = $1::uuid AND family_id = $2::uuid AND context = 'session'`;
