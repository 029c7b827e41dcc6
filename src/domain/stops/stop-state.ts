import { NOW } from "../../db/sql.ts";
import { COMMAND_STATES } from "../agent-commands/command-states.ts";
import { PRESENCE_SECONDS } from "../agents/presence.ts";

/**
 * The state of an agent during an emergency stop:
 *
 * - `confirmed`: it has acknowledged every command of the stop, and none of them has failed since.
 * - `unreachable`: it has not confirmed, and is offline (not seen for a minute), or a command was rejected
 *   or canceled, or expired, failed or timed out.
 * - `pending`: it is online and has not confirmed yet, or has yet to be sent the command.
 */
export type StopState = (typeof STOP_STATES)[number];

export const STOP_STATES = ["confirmed", "pending", "unreachable"] as const;

const CONFIRMING = ["acknowledged", "running", "succeeded"];

/**
 * The agents that the active emergency stop is for, with their states, also those that have yet to be sent
 * it: $1 workspace, $2 ids or null for all.
 */
export const STOPPED_AGENTS = `
SELECT a.id, a.name, a.kind, a.last_seen_at, CASE WHEN c.is_confirmed THEN 'confirmed'
  WHEN c.is_over OR a.last_seen_at IS NULL
    OR a.last_seen_at <= ${NOW} - interval '${PRESENCE_SECONDS.online} seconds'
  THEN 'unreachable' ELSE 'pending' END AS state
FROM workspace w
JOIN agent a ON a.workspace_id = w.id AND a.archived_at IS NULL AND ($2::uuid[] IS NULL OR a.id = ANY ($2::uuid[]))
LEFT JOIN (
  SELECT agent_id, bool_and(status IN (${quoteList(CONFIRMING)})) AS is_confirmed,
    bool_or(status NOT IN (${quoteList([...COMMAND_STATES.cancel, "succeeded"])})) AS is_over
  FROM agent_command
  WHERE workspace_id = $1::uuid AND batch_id = (SELECT emergency_stop_id FROM workspace WHERE id = $1::uuid)
    AND ($2::uuid[] IS NULL OR agent_id = ANY ($2::uuid[]))
  GROUP BY agent_id
) c ON c.agent_id = a.id
WHERE w.id = $1::uuid AND w.emergency_stop_id IS NOT NULL
  AND (c.agent_id IS NOT NULL OR a.created_at <= w.emergency_stop_at)`;

function quoteList(statuses: readonly string[]): string {
  return statuses.map((status) => `'${status}'`).join(", ");
}
