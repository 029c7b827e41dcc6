import { createHash, randomBytes } from "node:crypto";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import { getFixedTimes } from "../../domain/kernel/get-fixed-times.ts";
import { encodeBase32 } from "./base32.ts";

/** How many codes a person gets at once. */
const COUNT = 10;
/** Enough that codes can't be found by their digests either. */
const BYTES = 10;
const CODE = /^[a-z2-7]{16}$/;

/**
 * Replaces the recovery codes of a person whom the caller has locked.
 *
 * @returns ten codes such as `abcd-efgh-ijkl-mnop`: 80 random bits each. Only their digests are stored.
 */
export async function replaceRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const { db, ctx } = tx;
  const codes = Array.from({ length: COUNT }, () => encodeBase32(randomBytes(BYTES)).toLowerCase());
  await db.recoveryCode.deleteMany({ where: { userId } });
  await db.recoveryCode.createMany({
    data: codes.map((code) => ({
      workspaceId: ctx.workspaceId,
      userId,
      digest: hashCode(userId, code),
      ...getFixedTimes(ctx, "createdAt"),
    })),
  });
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join("-"));
}

/**
 * Uses up a recovery code of a person whom the caller has locked.
 *
 * @param code in lower case, without spaces and hyphens.
 * @returns how many are left; null if it is none of the person's codes.
 */
export async function spendRecoveryCode(
  { run, db, ctx }: Transaction,
  userId: string,
  code: string,
): Promise<number | null> {
  if (!CODE.test(code)) return null;
  const [spent] = await run(SPEND, [ctx.workspaceId, userId, hashCode(userId, code)]);
  return spent === undefined ? null : db.recoveryCode.count({ where: { userId } });
}

const SPEND = sql<{ userId: string }>`
DELETE FROM recovery_code WHERE workspace_id = $1::uuid AND user_id = $2::uuid AND digest = $3
RETURNING user_id AS "userId"`;

function hashCode(userId: string, code: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(`recovery code ${userId} ${code}`).digest());
}
