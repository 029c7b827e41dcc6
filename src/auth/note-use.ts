import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Database } from "../db/client.ts";
import { sql } from "../db/sql.ts";
import type { Credential } from "./remembered-credentials.ts";

/** Records the use of a credential in the background. */
export type NoteUse = (credential: Credential, ip: string | null) => void;

/** An agent counts as online for 60 seconds after its last request. */
const NOTED_EVERY_MS = 30_000;

/** Updates `last_used_at` of credentials once a minute and `last_seen_at` of agents every half minute. */
export function noteUses(database: Database, log: Logger): NoteUse {
  const noted = new LRUCache<string, true>({ max: 10_000, ttl: NOTED_EVERY_MS });
  return ({ actor, workspaceId }, ip) => {
    const { kind, id } = actor.credential;
    if (noted.has(id)) return;
    noted.set(id, true);
    const values = [workspaceId, actor.id, id, ...(kind === "api_key" ? [ip] : [])];
    database.run(STATEMENTS[kind], values).catch((error: unknown) => {
      noted.delete(id);
      log.warn({ err: error }, "the use of a credential could not be recorded");
    });
  };
}

const SEEN = `WITH seen AS (
  UPDATE agent SET last_seen_at = now() WHERE workspace_id = $1::uuid AND id = $2::uuid
)`;
const STALE = "(last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')";

const STATEMENTS = {
  api_key: sql`${SEEN} UPDATE api_key SET last_used_at = now(), last_used_ip = $4
WHERE workspace_id = $1::uuid AND id = $3::uuid AND ${STALE}`,
  agent_token: sql`${SEEN} UPDATE agent_token SET last_used_at = now()
WHERE workspace_id = $1::uuid AND id = $3::uuid AND ${STALE}`,
};
