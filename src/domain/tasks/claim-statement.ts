import { TABLES, selectList } from "../../db/columns.ts";
import { LIMITS } from "../limits.ts";

/** Heads of the queues that are looked at: more than can be locked by other claims at one moment. */
const HEADS = 64;
const FIRST_QUEUE = 6;

const made = new Map<number, string>();

/**
 * The statement that claims the next task of so many queues: $1 workspace, $2 agent, $3 seconds, $4 digest
 * of the token, $5 now or null, from $6 the queues. It reads the heads of two indexes for each queue and
 * priority, so it costs the same whatever waits behind them.
 *
 * The workspace and the agent are locked until the transaction ends: an emergency stop, and a change of the
 * agent's control state, wait for claims that are under way, and are seen by all that follow.
 */
export function claimStatement(queues: number): string {
  const known = made.get(queues);
  if (known !== undefined) return known;
  const text = write(queues);
  made.set(queues, text);
  return text;
}

function write(queues: number): string {
  const places = Array.from({ length: queues }, (_, index) => `$${FIRST_QUEUE + index}`);
  const branches = places.flatMap((queue) => [
    branch("assignee_agent_id IS NULL", queue),
    branch("assignee_agent_id = $2::uuid", queue),
  ]);
  return `
WITH running AS MATERIALIZED (
  SELECT id FROM workspace WHERE id = $1::uuid AND emergency_stop_at IS NULL FOR SHARE
), worker AS MATERIALIZED (
  SELECT agent.id FROM running JOIN agent ON agent.workspace_id = running.id
  WHERE agent.id = $2::uuid AND agent.control_state = 'active' AND agent.archived_at IS NULL FOR SHARE OF agent
), next AS MATERIALIZED (
  SELECT free.id FROM worker
  CROSS JOIN generate_series(${LIMITS.priority.max}, ${LIMITS.priority.min}, -1) AS level(priority)
  CROSS JOIN LATERAL (
    SELECT id FROM (${branches.join(" UNION ALL ")}) waiting ORDER BY ready_at, id LIMIT ${HEADS}
  ) head
  CROSS JOIN LATERAL (
    SELECT t.id FROM task t
    WHERE t.workspace_id = $1::uuid AND t.id = head.id AND t.status = 'submitted' FOR UPDATE SKIP LOCKED
  ) free
  LIMIT 1
)
UPDATE task t SET
  status = 'working', attempt = t.attempt + 1, claimed_by_agent_id = $2::uuid, lease_token_digest = $4,
  lease_seconds = $3::int, lease_expires_at = COALESCE($5::timestamptz, now()) + make_interval(secs => $3::int),
  settled_digest = NULL, error = NULL, generation = t.generation + 1,
  updated_at = COALESCE($5::timestamptz, now())
FROM next WHERE t.workspace_id = $1::uuid AND t.id = next.id
RETURNING ${selectList("t", TABLES.task)}`;
}

/** One queue's tasks of one priority, those of nobody or those of the agent, longest ready first. */
function branch(whose: string, queue: string): string {
  return `(
      SELECT id, COALESCE(run_after, created_at) AS ready_at FROM task
      WHERE workspace_id = $1::uuid AND status = 'submitted' AND ${whose} AND queue = ${queue}
        AND priority = level.priority AND COALESCE(run_after, created_at) <= COALESCE($5::timestamptz, now())
      ORDER BY COALESCE(run_after, created_at), id LIMIT ${HEADS}
    )`;
}
