import { sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import type { LockedUser } from "../../domain/users/lock-user.ts";
import { type Factor, noteFactorEvent } from "./factor-change.ts";
import { spendRecoveryCode } from "./recovery-codes.ts";
import { openTotpSecret } from "./totp-secret.ts";
import { findTotpStep } from "./totp.ts";

const TOTP_CODE = /^[0-9]{6}$/;
const TYPED_LENGTH = 64;

/**
 * Uses up a code of a person whom the caller has locked: of the authenticator app, or a recovery code. Spaces and
 * hyphens don't matter. A code works once.
 *
 * @returns null if the code is wrong.
 */
export async function useCode(tx: Transaction, user: LockedUser, typed: string): Promise<Factor | null> {
  if (typed.length > TYPED_LENGTH) return null;
  const code = typed.replaceAll(/[\s-]/g, "").toLowerCase();
  if (TOTP_CODE.test(code)) return (await useTotp(tx, user.id, code)) ? "totp" : null;
  const left = await spendRecoveryCode(tx, user.id, code);
  if (left === null) return null;
  await noteFactorEvent(tx, user, {
    action: "user.recovery_code_used",
    news: "code_used",
    changes: { left },
  });
  return "recovery_code";
}

async function useTotp(tx: Transaction, userId: string, code: string): Promise<boolean> {
  const { workspaceId } = tx.ctx;
  const [factor] = await tx.run(READ, [workspaceId, userId]);
  const secret = factor === undefined ? null : openTotpSecret(tx.ctx, factor);
  if (factor === undefined || secret === null) return false;
  const step = await findTotpStep(secret, code, await tx.now());
  if (step === null) return false;
  const moved = await tx.run(MOVE, [workspaceId, factor.id, step]);
  return moved.length > 0;
}

const READ = sql<{ id: string; sealedSecret: Uint8Array }>`
SELECT id, sealed_secret AS "sealedSecret" FROM totp_factor
WHERE workspace_id = $1::uuid AND user_id = $2::uuid`;

/** No row if the code, or a later one, has been used. */
const MOVE = sql<{ id: string }>`
UPDATE totp_factor SET last_step = $3::int
WHERE workspace_id = $1::uuid AND id = $2::uuid AND last_step < $3::int RETURNING id`;
