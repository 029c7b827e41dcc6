import { TABLES, selectList } from "../../db/columns.ts";
import type { McpServer } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Services } from "../../domain/kernel/context.ts";
import { getCredentialPlace } from "../upstream/credential-headers.ts";
import type { SealedBox } from "./sealed-box.ts";

/** How many secrets were sealed anew, and how many no key opens. */
export type RotatedSecrets = { sealed: number; unreadable: number };

/**
 * Seals all secrets of all workspaces with the first key. Those that already are stay as they are. It can be repeated,
 * and servers may run meanwhile if they have all keys.
 */
export async function rotateSecrets(
  { database }: Pick<Services, "database">,
  box: SealedBox,
): Promise<RotatedSecrets> {
  const rotated = { sealed: 0, unreadable: 0 };
  for (const server of await database.run(LIST, [])) {
    const { workspaceId, id, sealedCredential: before } = server;
    if (before === null || box.isCurrent(before)) continue;
    const place = getCredentialPlace(server);
    const secret = box.open(before, place);
    if (secret === null) rotated.unreadable++;
    // What somebody has changed meanwhile is sealed with the first key already.
    else if ((await database.run(REPLACE, [workspaceId, id, before, box.seal(secret, place)])).length > 0)
      rotated.sealed++;
  }
  return rotated;
}

const LIST = sql<McpServer>`
SELECT ${selectList("s", TABLES.mcpServer)} FROM mcp_server s WHERE s.sealed_credential IS NOT NULL`;

const REPLACE = sql<{ id: string }>`
UPDATE mcp_server SET sealed_credential = $4::bytea
WHERE workspace_id = $1::uuid AND id = $2::uuid AND sealed_credential = $3::bytea RETURNING id`;
