import type { WorkloadTrust } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { WorkloadServices } from "./workload-services.ts";

/** A trust that mints tokens, and its agent. */
export type FoundTrust = Pick<
  WorkloadTrust,
  | ("workspaceId" | "id" | "agentId" | "issuer" | "audience" | "claimPatterns" | "jwksUri" | "jwks")
  | ("scopes" | "lifetimeSeconds" | "reusable" | "updatedAt")
> & { agentName: string };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Finds a trust by its id, over all workspaces. Returns null for any other text, and if it is disabled or deleted or
 * its workspace is suspended.
 */
export async function findTrust({ database }: WorkloadServices, id: string): Promise<FoundTrust | null> {
  if (!UUID.test(id)) return null;
  const [trust] = await database.run(FIND, [id]);
  return trust ?? null;
}

const FIND = sql<FoundTrust>`
SELECT u.workspace_id AS "workspaceId", u.id, u.agent_id AS "agentId", a.name AS "agentName", u.issuer, u.audience,
  u.claim_patterns AS "claimPatterns", u.jwks_uri AS "jwksUri", u.jwks, u.scopes,
  u.lifetime_seconds AS "lifetimeSeconds", u.reusable, u.updated_at AS "updatedAt"
FROM workload_trust u
JOIN agent a ON a.workspace_id = u.workspace_id AND a.id = u.agent_id
JOIN workspace w ON w.id = u.workspace_id
WHERE u.id = $1::uuid AND u.disabled_at IS NULL AND u.deleted_at IS NULL AND w.suspended_at IS NULL`;
