import { sql } from "../../db/sql.ts";
import type { EntityName } from "../gateway-checks/entity-name.ts";
import type { Transaction } from "../kernel/context.ts";
import { uuid } from "../kernel/input.ts";

/** What people are asked about. `agentId` is null for a person who asks, who is the subject. */
export type Asked = { agentId: string | null; taskId: string | null; subject?: EntityName | null };

/**
 * Finds for each question the people whose work it is, and the person for whom it is asked. The work is the task for which
 * an agent asks, if it holds that and people created it; else everything that this agent, or the agent for whom it asks,
 * works on: tasks that it holds, commands and missions. People who created a task also issued the tasks below it.
 */
export async function findIssuers(
  { run, ctx }: Transaction,
  questions: readonly Asked[],
): Promise<string[][]> {
  const subjects = questions.map(({ subject }) => subject?.id ?? null);
  const rows = await run(ISSUERS, [
    ctx.workspaceId,
    questions.map(({ agentId }) => agentId),
    subjects,
    subjects.map((id) => uuid.safeParse(id).data ?? null),
    questions.map(({ taskId }) => taskId),
    subjects.map((id) => (id === null ? null : normalizePerson(id))),
    questions.map(({ subject }) => subject?.type === "user"),
  ]);
  return rows.map(({ issuerIds }) => issuerIds);
}

/** Returns how a person's name, id or email address is compared. */
function normalizePerson(id: string): string {
  return id
    .trim()
    .replace(/^mailto:/i, "")
    .toLowerCase();
}

/** The most levels of tasks below each other. */
const DEPTH = 1000;

/** Of what createActorRecord() wrote. */
function toUser(actor: string): string {
  return `(${actor} ->> 'id')::uuid AS id FROM`;
}

function isUser(actor: string): string {
  return `${actor} ->> 'type' = 'user'`;
}

const WORKING = `workers.id AND t.status IN ('working', 'input_required', 'auth_required')`;

const ISSUERS = sql<{ issuerIds: string[] }>`
SELECT ARRAY(
  WITH RECURSIVE workers AS MATERIALIZED (
    SELECT id FROM agent WHERE workspace_id = $1::uuid AND (id IN (q.agent_id, q.subject_id) OR handle = q.subject)
  ), held AS MATERIALIZED (
    SELECT t.id FROM workers JOIN task t ON t.workspace_id = $1::uuid AND t.claimed_by_agent_id = ${WORKING}
  ), line AS (
    SELECT t.id AS task_id, t.parent_task_id, t.created_by, 1 AS depth FROM task t
    WHERE t.workspace_id = $1::uuid AND (t.id = q.task_id OR t.id IN (SELECT id FROM held))
    UNION ALL
    SELECT line.task_id, t.parent_task_id, t.created_by, depth + 1
    FROM line JOIN task t ON t.workspace_id = $1::uuid AND t.id = line.parent_task_id WHERE depth < ${DEPTH}
  ), issued AS MATERIALIZED (
    SELECT task_id, ${toUser("created_by")} line WHERE ${isUser("created_by")}
  ), is_named AS (
    SELECT EXISTS (SELECT FROM held JOIN issued ON issued.task_id = held.id WHERE held.id = q.task_id) AS yes
  )
  SELECT id FROM issued, is_named WHERE task_id = q.task_id OR NOT yes
  UNION
  SELECT ${toUser("c.issued_by")} is_named, workers JOIN agent_command c ON c.workspace_id = $1::uuid
    AND c.agent_id = workers.id AND c.status IN ('delivered', 'acknowledged', 'running')
  WHERE NOT yes AND ${isUser("c.issued_by")}
  UNION
  SELECT ${toUser("m.created_by")} is_named, workers JOIN mission m ON m.workspace_id = $1::uuid
    AND m.robot_id = workers.id AND m.status IN ('assigned', 'running', 'paused')
  WHERE NOT yes AND ${isUser("m.created_by")}
  UNION
  SELECT id FROM "user" WHERE workspace_id = $1::uuid AND id = q.subject_id
  UNION
  SELECT id FROM "user" WHERE workspace_id = $1::uuid AND lower(email) = q.person
  UNION
  SELECT user_id FROM user_email WHERE workspace_id = $1::uuid AND lower(value) = q.person
  UNION
  SELECT id FROM "user" WHERE q.is_user AND workspace_id = $1::uuid AND lower(user_name) = q.person
  UNION
  SELECT id FROM "user" WHERE q.is_user AND workspace_id = $1::uuid AND external_id = btrim(q.subject)
) AS "issuerIds"
FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::boolean[])
  WITH ORDINALITY AS q(agent_id, subject, subject_id, task_id, person, is_user, position)
ORDER BY position`;
