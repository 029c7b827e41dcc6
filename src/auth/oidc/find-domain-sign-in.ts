import type { Database } from "../../db/client.ts";
import { sql } from "../../db/sql.ts";
import { email as emailInput } from "../../domain/kernel/input.ts";
import { getDomain } from "./begin-sign-in.ts";

/** How people with addresses of a domain may log in. */
export type DomainSignIn = { hasProvider: boolean; isEnforced: boolean };

const PASSWORD_ONLY: DomainSignIn = { hasProvider: false, isEnforced: false };

/**
 * How people with addresses like this one may log in. Depends on its domain only.
 *
 * @returns null if it is no address.
 */
export async function findDomainSignIn(
  { database }: { database: Pick<Database, "run"> },
  email: string,
): Promise<DomainSignIn | null> {
  const parsed = emailInput.safeParse(email.trim());
  if (!parsed.success) return null;
  const [found] = await database.run(FIND, [getDomain(parsed.data)]);
  return found === undefined ? PASSWORD_ONLY : { hasProvider: true, isEnforced: found.enforced };
}

const FIND = sql<{ enforced: boolean }>`
SELECT p.enforced FROM sign_in_domain d
JOIN sign_in_provider p ON p.workspace_id = d.workspace_id
JOIN workspace w ON w.id = d.workspace_id
WHERE d.domain = $1 AND d.verified_at IS NOT NULL AND w.suspended_at IS NULL`;
