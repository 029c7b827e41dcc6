import type { Database } from "../../db/client.ts";
import { sql } from "../../db/sql.ts";
import { getDomain } from "./begin-sign-in.ts";

/** Whether people with addresses of this domain sign in at a provider alone. Depends on the domain only. */
export async function isDomainEnforced(
  { database }: { database: Pick<Database, "run"> },
  email: string,
): Promise<boolean> {
  const [found] = await database.run(FIND, [getDomain(email.trim()).toWellFormed().replaceAll("\0", "")]);
  return found !== undefined;
}

const FIND = sql<{ id: string }>`
SELECT p.id FROM sign_in_domain d
JOIN sign_in_provider p ON p.workspace_id = d.workspace_id AND p.enforced
JOIN workspace w ON w.id = d.workspace_id
WHERE d.domain = $1 AND d.verified_at IS NOT NULL AND w.suspended_at IS NULL`;
