import { type Statement, NOW, buildStatement, share } from "../../db/sql.ts";
import type { Task } from "../../db/generated/client.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import { LIMITS } from "../kernel/limits.ts";
import { LOCK_UNCHANGED_WORKSPACE, isStoppedSql } from "../stops/is-stopped.ts";

/** How many tasks at the head of each queue are considered: more than other claims can lock at once. */
const HEADS = 64;

/** The number of the first queue's parameter, after the workspace and the agent. */
const FIRST_QUEUE = 3;

/**
 * Builds the statement that checks for a claimable task without locks, for waiting callers: $1 workspace,
 * $2 agent, then the queues.
 */
export function readyStatement(queues: number): Statement {
  const text = `
SELECT 1 AS ready FROM generate_series(${LIMITS.priority.min}, ${LIMITS.priority.max}) AS level(priority)
CROSS JOIN LATERAL (${buildBranches(queues).join(" UNION ALL ")} LIMIT 1) head LIMIT 1`;
  return share(buildStatement(`ready_${queues}`, text));
}

/**
 * Builds the statement that claims the next task: $1 workspace, $2 agent, then the queues, then the lease's
 * seconds and the digest of its token. Reads the heads of two indexes per queue and priority, so the cost
 * does not depend on the number of waiting tasks.
 *
 * Locks the workspace and the agent until the transaction ends: an emergency stop or a change of the
 * agent's control state waits for running claims, and later ones see it.
 */
export function claimStatement(queues: number): Statement<Task> {
  const [seconds, digest] = [`$${FIRST_QUEUE + queues}`, `$${FIRST_QUEUE + queues + 1}`];
  const text = `
WITH running AS MATERIALIZED (
  ${LOCK_UNCHANGED_WORKSPACE}
), worker AS MATERIALIZED (
  SELECT agent.id FROM running JOIN agent ON agent.workspace_id = running.id
  WHERE agent.id = $2::uuid AND agent.control_state = 'active' AND agent.archived_at IS NULL
    AND NOT ${isStoppedSql("agent")}
  FOR SHARE OF agent
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
  started_at = COALESCE(t.started_at, ${NOW}), claimed_at = ${NOW},
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
function branch(assignee: string, queue: string): string {
  return `(
      SELECT id, COALESCE(run_after, created_at) AS ready_at FROM task
      WHERE workspace_id = $1::uuid AND status = 'submitted' AND ${assignee} AND queue = ${queue}
        AND priority = level.priority AND COALESCE(run_after, created_at) <= ${NOW}
      ORDER BY COALESCE(run_after, created_at), id LIMIT ${HEADS}
    )`;
}
