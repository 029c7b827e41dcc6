import { NOW } from "../../db/sql.ts";
import { COMMAND_STATES } from "../agent-commands/command-states.ts";
import { PRESENCE_SECONDS } from "../agents/presence.ts";

/**
 * What is known of an agent that an emergency stop told to stop:
 *
 * - `confirmed`: it has acknowledged every command of the stop, and none of them failed since.
 * - `unreachable`: it has not confirmed, and is either not online (not seen for a minute) or has a command that
 *   ended without its doing: expired, rejected, failed, timed out or canceled.
 * - `pending`: it is online, and its confirmation is waited for.
 */
export type StopState = (typeof STOP_STATES)[number];

/** All of them. */
export const STOP_STATES = ["confirmed", "pending", "unreachable"] as const;

const CONFIRMING = ["acknowledged", "running", "succeeded"];

/**
 * The agents that the standing emergency stop told, with the state of each: $1 workspace, $2 the
 * ids to look at or null for all.
 */
export const STOPPED_AGENTS = `
SELECT a.id, a.name, a.kind, a.last_seen_at, CASE WHEN c.is_confirmed THEN 'confirmed'
  WHEN c.is_over OR a.last_seen_at IS NULL
    OR a.last_seen_at <= ${NOW} - interval '${PRESENCE_SECONDS.online} seconds'
  THEN 'unreachable' ELSE 'pending' END AS state
FROM (
  SELECT agent_id, bool_and(status IN (${quoteList(CONFIRMING)})) AS is_confirmed,
    bool_or(status NOT IN (${quoteList([...COMMAND_STATES.cancel, "succeeded"])})) AS is_over
  FROM agent_command
  WHERE workspace_id = $1::uuid AND batch_id = (SELECT emergency_stop_id FROM workspace WHERE id = $1::uuid)
    AND ($2::uuid[] IS NULL OR agent_id = ANY($2::uuid[]))
  GROUP BY agent_id
) c JOIN agent a ON a.workspace_id = $1::uuid AND a.id = c.agent_id AND a.archived_at IS NULL`;

function quoteList(statuses: readonly string[]): string {
  return statuses.map((status) => `'${status}'`).join(", ");
}
