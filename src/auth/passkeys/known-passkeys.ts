import { sql } from "../../db/sql.ts";
import type { KnownPasskey } from "../vendor/webauthn.ts";
import type { Run } from "../../db/sql.ts";

/** Lists a person's passkeys, for a browser to choose from. */
export async function listKnownPasskeys(
  run: Run,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<KnownPasskey[]> {
  return run(LIST, [workspaceId, userId]);
}

const LIST = sql<KnownPasskey>`
SELECT credential_id AS "credentialId", public_key AS "publicKey", transports FROM passkey
WHERE workspace_id = $1::uuid AND user_id = $2::uuid ORDER BY id`;
