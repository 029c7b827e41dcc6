import { NOW } from "../../db/sql.ts";
import { COMMAND_STATES } from "../agent-commands/command-states.ts";
import { PRESENCE_SECONDS } from "../agents/presence.ts";

/**
 * The state of an agent that was sent an emergency stop:
 *
 * - `confirmed`: it has acknowledged every command of the stop, and none of them has failed since.
 * - `unreachable`: it has not confirmed, and is offline (not seen for a minute), or a command was rejected
 *   or canceled, or expired, failed or timed out.
 * - `pending`: it is online and has not confirmed yet.
 */
export type StopState = (typeof STOP_STATES)[number];

export const STOP_STATES = ["confirmed", "pending", "unreachable"] as const;

const CONFIRMING = ["acknowledged", "running", "succeeded"];

/**
 * The agents that were sent the active emergency stop, with their states: $1 workspace, $2 ids or null for
 * all.
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
