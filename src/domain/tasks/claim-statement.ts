import { type Statement, NOW, buildStatement, share } from "../../db/sql.ts";
import type { Task } from "../../db/generated/client.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import { LIMITS } from "../kernel/limits.ts";

/** How many tasks at the head of each queue are considered: more than other claims can lock at once. */
const HEADS = 64;

/** The place of the first queue among the parameters, after the workspace and the agent. */
const FIRST_QUEUE = 3;

/**
 * The statement that tells whether there is a task to claim in so many queues: $1 workspace, $2 agent, then the
 * queues. For who waits: it locks nothing.
 */
export function readyStatement(queues: number): Statement {
  const text = `
SELECT 1 AS ready FROM generate_series(${LIMITS.priority.min}, ${LIMITS.priority.max}) AS level(priority)
CROSS JOIN LATERAL (${buildBranches(queues).join(" UNION ALL ")} LIMIT 1) head LIMIT 1`;
  return share(buildStatement(`ready_${queues}`, text));
}

/**
 * The statement that claims the next task of so many queues: $1 workspace, $2 agent, then the queues, then the seconds of the lease and the digest of its token. It reads the heads of two indexes for
 * each queue and priority, so it costs the same whatever waits behind them.
 *
 * The workspace and the agent are locked until the transaction ends: an emergency stop, and a change of the
 * agent's control state, wait for claims that are under way, and are seen by all that follow.
 */
export function claimStatement(queues: number): Statement<Task> {
  const [seconds, digest] = [`$${FIRST_QUEUE + queues}`, `$${FIRST_QUEUE + queues + 1}`];
  const text = `
WITH running AS MATERIALIZED (
  SELECT id FROM workspace WHERE id = $1::uuid AND emergency_stop_at IS NULL FOR SHARE
), worker AS MATERIALIZED (
  SELECT agent.id FROM running JOIN agent ON agent.workspace_id = running.id
  WHERE agent.id = $2::uuid AND agent.control_state = 'active' AND agent.archived_at IS NULL FOR SHARE OF agent
), next AS MATERIALIZED (
  SELECT free.id FROM worker
  CROSS JOIN generate_series(${LIMITS.priority.max}, ${LIMITS.priority.min}, -1) AS level(priority)
  CROSS JOIN LATERAL (
    SELECT id FROM (${buildBranches(queues).join(" UNION ALL ")}) waiting ORDER BY ready_at, id LIMIT ${HEADS}
  ) head
  CROSS JOIN LATERAL (
    SELECT t.id FROM task t
    WHERE t.workspace_id = $1::uuid AND t.id = head.id AND t.status = 'submitted' FOR UPDATE SKIP LOCKED
  ) free
  LIMIT 1
)
UPDATE task t SET
  status = 'working', attempt = t.attempt + 1, claimed_by_agent_id = $2::uuid, lease_token_digest = ${digest},
  lease_seconds = ${seconds}::int,
  lease_expires_at = ${NOW} + make_interval(secs => ${seconds}::int),
  started_at = COALESCE(t.started_at, ${NOW}),
  settled_digest = NULL, error = NULL, generation = t.generation + 1,
  updated_at = ${NOW}
FROM next WHERE t.workspace_id = $1::uuid AND t.id = next.id
RETURNING ${selectList("t", TABLES.task)}`;
  return buildStatement(`claim_${queues}`, text);
}

function buildBranches(queues: number): string[] {
  const places = Array.from({ length: queues }, (_, index) => `$${FIRST_QUEUE + index}`);
  return places.flatMap((queue) => [
    branch("assignee_agent_id IS NULL", queue),
    branch("assignee_agent_id = $2::uuid", queue),
  ]);
}

/** One queue's tasks of one priority, unassigned or assigned to the agent, longest ready first. */
function branch(whose: string, queue: string): string {
  return `(
      SELECT id, COALESCE(run_after, created_at) AS ready_at FROM task
      WHERE workspace_id = $1::uuid AND status = 'submitted' AND ${whose} AND queue = ${queue}
        AND priority = level.priority AND COALESCE(run_after, created_at) <= ${NOW}
      ORDER BY COALESCE(run_after, created_at), id LIMIT ${HEADS}
    )`;
}
