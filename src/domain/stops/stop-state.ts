import { NOW } from "../../db/sql.ts";
import { COMMAND_STATES } from "../agent-commands/command-states.ts";
import { PRESENCE_SECONDS } from "../agents/presence.ts";
import { isInScopeSql, isResumedSql } from "./is-stopped.ts";

/**
 * The state of an agent during a stop:
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
 * The agents that standing stops cover, with their states, also those that have yet to be sent the command: $1
 * workspace, $2 ids of agents and $3 ids of stops, null for all. Leaves out archived agents, agents created since the
 * stop, and those that were resumed.
 */
export const STOPPED_AGENTS = `
SELECT s.id AS stop_id, a.id, a.name, a.kind, a.last_seen_at, CASE WHEN c.is_confirmed THEN 'confirmed'
  WHEN c.is_over OR a.last_seen_at IS NULL
    OR a.last_seen_at <= ${NOW} - interval '${PRESENCE_SECONDS.online} seconds'
  THEN 'unreachable' ELSE 'pending' END AS state
FROM stop s
JOIN agent a ON a.workspace_id = s.workspace_id AND a.archived_at IS NULL AND a.created_at <= s.at
  AND ${isInScopeSql("a", "s")} AND ($2::uuid[] IS NULL OR a.id = ANY ($2::uuid[]))
LEFT JOIN (
  SELECT batch_id, agent_id, bool_and(status IN (${quoteList(CONFIRMING)})) AS is_confirmed,
    bool_or(status NOT IN (${quoteList([...COMMAND_STATES.cancel, "succeeded"])})) AS is_over
  FROM agent_command
  WHERE workspace_id = $1::uuid
    AND batch_id IN (SELECT id FROM stop WHERE workspace_id = $1::uuid AND released_at IS NULL)
    AND ($2::uuid[] IS NULL OR agent_id = ANY ($2::uuid[])) AND ($3::uuid[] IS NULL OR batch_id = ANY ($3::uuid[]))
  GROUP BY batch_id, agent_id
) c ON c.batch_id = s.id AND c.agent_id = a.id
WHERE s.workspace_id = $1::uuid AND s.released_at IS NULL AND ($3::uuid[] IS NULL OR s.id = ANY ($3::uuid[]))
  AND NOT ${isResumedSql("a", "s")}`;

function quoteList(statuses: readonly string[]): string {
  return statuses.map((status) => `'${status}'`).join(", ");
}
