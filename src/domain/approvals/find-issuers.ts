import { sql } from "../../db/sql.ts";
import type { EntityName } from "../gateway-checks/entity-name.ts";
import type { Transaction } from "../kernel/context.ts";
import { uuid } from "../kernel/input.ts";

/** What people are asked about. `agentId` is null for a person who asks, who is the subject. */
export type Asked = { agentId: string | null; taskId: string | null; subject?: EntityName | null };

/**
 * Finds for each question the people whose work it is: those who created the task for which an agent asks. If that is
 * none that it holds, or the agent for whom it asks, each that they hold counts.
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
  ]);
  return rows.map(({ issuerIds }) => issuerIds);
}

/** Written by createActorRecord(). Null unless a person created the task. */
const ISSUER = `CASE WHEN t.created_by ->> 'type' = 'user' THEN (t.created_by ->> 'id')::uuid END AS issuer`;

const ISSUERS = sql<{ issuerIds: string[] }>`
SELECT ARRAY(
  WITH held AS MATERIALIZED (
    SELECT t.id, ${ISSUER} FROM agent a JOIN task t ON t.workspace_id = a.workspace_id AND t.claimed_by_agent_id = a.id
    WHERE a.workspace_id = $1::uuid AND (a.id IN (q.agent_id, q.subject_id) OR a.handle = q.subject)
      AND t.status IN ('working', 'input_required', 'auth_required')
  ), asked AS (
    SELECT issuer FROM held WHERE NOT EXISTS (SELECT FROM held WHERE id = q.task_id)
    UNION
    SELECT ${ISSUER} FROM task t WHERE t.workspace_id = $1::uuid AND t.id = q.task_id
  )
  SELECT issuer FROM asked WHERE issuer IS NOT NULL
) AS "issuerIds"
FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::uuid[])
  WITH ORDINALITY AS q(agent_id, subject, subject_id, task_id, position)
ORDER BY position`;
