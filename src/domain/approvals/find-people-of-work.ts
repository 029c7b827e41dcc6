import { sql } from "../../db/sql.ts";
import { type EntityName, isAgentType } from "../gateway-checks/entity-name.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

/** What people are asked about. `agentId` is null for a person who asks, who is the subject. */
export type Asked = { agentId: string | null; taskId: string | null; subject: EntityName | null };

/**
 * Finds the people whose work a question is about: who created the task for which it is asked, or one above. Unless
 * that is a task that a person created and the agent, or the one for which it asks, holds, it is about everything that
 * they work on, too: tasks that they hold with those above, commands and missions. An agent chooses what its own tasks
 * are below, so they narrow nothing.
 *
 * @throws {DomainError} rate_limited if they work on too much to tell.
 */
export async function findPeopleOfWork(
  { run, ctx }: Pick<Transaction, "run" | "ctx">,
  { agentId, taskId, subject }: Asked,
): Promise<string[]> {
  const name = subject !== null && isAgentType(subject.type) ? subject.id : null;
  const id = uuid.safeParse(name).data ?? null;
  const [work] = await run(PEOPLE_OF_WORK, [ctx.workspaceId, agentId, id, name, taskId]);
  if (work === undefined) throw new Error("PostgreSQL returned no row");
  if (work.size <= LIMITS.workOfQuestion) return work.userIds;
  const message = `The agent works on more than ${LIMITS.workOfQuestion} tasks, with those above them.`;
  throw new DomainError("rate_limited", `${message} Ask for one of them (context.task_id), or end some.`);
}

const IS_HELD =
  "t.claimed_by_agent_id = workers.id AND t.status IN ('working', 'input_required', 'auth_required')";

/** The actors are of createActorRecord(). A task that is reached twice is read once, and no more than the limit. */
const PEOPLE_OF_WORK = sql<{ userIds: string[]; size: number }>`
WITH RECURSIVE workers AS MATERIALIZED (
  SELECT id FROM agent WHERE workspace_id = $1::uuid AND (id IN ($2::uuid, $3::uuid) OR handle = $4)
), named AS MATERIALIZED (
  SELECT EXISTS (
    SELECT FROM workers JOIN task t ON t.workspace_id = $1::uuid AND t.id = $5::uuid AND ${IS_HELD}
    WHERE t.created_by ->> 'type' = 'user'
  ) AS is_enough
), line AS (
  SELECT t.id, t.parent_task_id, t.created_by FROM task t WHERE t.workspace_id = $1::uuid AND t.id = $5::uuid
  UNION ALL
  SELECT t.id, t.parent_task_id, t.created_by
  FROM named, workers JOIN task t ON t.workspace_id = $1::uuid AND ${IS_HELD} WHERE NOT is_enough
  UNION
  SELECT t.id, t.parent_task_id, t.created_by
  FROM line JOIN task t ON t.workspace_id = $1::uuid AND t.id = line.parent_task_id
), work AS MATERIALIZED (
  SELECT created_by AS actor FROM line
  UNION ALL
  SELECT c.issued_by FROM named, workers JOIN agent_command c ON c.workspace_id = $1::uuid
    AND c.agent_id = workers.id AND c.status IN ('delivered', 'acknowledged', 'running')
  WHERE NOT is_enough
  UNION ALL
  SELECT m.created_by FROM named, workers JOIN mission m ON m.workspace_id = $1::uuid
    AND m.robot_id = workers.id AND m.status IN ('assigned', 'running', 'paused')
  WHERE NOT is_enough
  LIMIT ${LIMITS.workOfQuestion + 1}
)
SELECT ARRAY(SELECT DISTINCT (actor ->> 'id')::uuid FROM work WHERE actor ->> 'type' = 'user') AS "userIds",
  (SELECT count(*)::int FROM work) AS size`;
