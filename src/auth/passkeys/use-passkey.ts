import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import type { LockedUser } from "../../domain/users/lock-user.ts";
import { noteFactorEvent } from "../factors/factor-change.ts";
import { type KnownPasskey, verifyAssertion } from "../vendor/webauthn.ts";
import { type ChallengeUse, takeChallenge } from "./challenges.ts";
import { parsePasskeyResponse } from "./passkey-response.ts";
import { findSite } from "./site.ts";

/** `isUserVerified`: whether the authenticator must have verified the person, such as by a fingerprint. */
export type PasskeyProof = { response: string; use: ChallengeUse; isUserVerified: boolean };

/**
 * Verifies that a person whom the caller has locked has used one of their passkeys for this. One whose count of
 * signatures does not grow may have been copied: it is refused, and the person is told.
 */
export async function usePasskey(
  tx: Transaction,
  user: LockedUser,
  { response, use, isUserVerified }: PasskeyProof,
): Promise<boolean> {
  const { workspaceId, services } = tx.ctx;
  const [site, parsed] = [findSite(services), parsePasskeyResponse(response)];
  if (site === null || parsed === null) return false;
  const { credentialId, challenge, whole } = parsed;
  if (!(await takeChallenge(tx.run, use, challenge))) return false;
  const [passkey] = await tx.run(FIND, [workspaceId, user.id, credentialId]);
  if (passkey === undefined) return false;
  const counter = await verifyAssertion(whole, { site, challenge, isUserVerified, passkey });
  if (counter === null) return false;
  const moved = await tx.run(MOVE, [workspaceId, passkey.id, counter]);
  if (moved.length > 0) return true;
  const changes = { passkey_id: passkey.id };
  await noteFactorEvent(tx, user, { action: "user.passkey_refused", news: "passkey_copied", changes });
  return false;
}

const FIND = sql<KnownPasskey & { id: string }>`
SELECT id, credential_id AS "credentialId", public_key AS "publicKey", transports FROM passkey
WHERE workspace_id = $1::uuid AND user_id = $2::uuid AND credential_id = $3`;

/** No row if the count did not grow. Authenticators that don't count always say 0. */
const MOVE = sql<{ id: string }>`
UPDATE passkey SET counter = $3::bigint, last_used_at = ${NOW}
WHERE workspace_id = $1::uuid AND id = $2::uuid AND (counter < $3::bigint OR (counter = 0 AND $3::bigint = 0))
RETURNING id`;
