import { sql } from "../../db/sql.ts";
import { type EntityName, MEMBER } from "../gateway-checks/entity-name.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { uuid } from "../kernel/input.ts";

/** What an agent or a person asks people, or an agent does again. `agentId` is null for a person, who is the subject. */
type Asked = { agentId: string | null; taskId: string | null; subject?: unknown };

/**
 * Requires that a person decides about somebody else's work. An agent says for which task it asks; if that is none
 * that it holds, or the agent for whom it asks, each that they hold counts.
 *
 * @throws {DomainError} self_approval for the person who created the task, who asks, or for whom an agent asks.
 */
export async function requireOtherPerson(
  { run, ctx }: Transaction,
  { agentId, taskId, subject = null }: Asked,
  userId: string,
): Promise<void> {
  // Written by nameSubject().
  const asking = subject as EntityName | null;
  if (asking?.type === MEMBER && asking.id === userId) {
    throw new DomainError("self_approval", "You issued this. Somebody else decides.");
  }
  const { data: subjectId = null } = uuid.safeParse(asking?.id);
  const named = asking?.id ?? null;
  const [own] = await run(OWN, [ctx.workspaceId, [agentId, subjectId], taskId, userId, named]);
  if (own !== undefined)
    throw new DomainError("self_approval", `${MESSAGES[own.what]} Somebody else decides.`);
}

const MESSAGES = {
  person: "The agent asks for you.",
  task: "You created the task for which the agent asks.",
};

/** Written by createActorRecord(). */
const IS_OWN = `created_by ->> 'type' = 'user' AND created_by ->> 'id' = $4`;

const OWN = sql<{ what: keyof typeof MESSAGES }>`
WITH agents AS (
  SELECT id FROM agent WHERE workspace_id = $1::uuid AND (id = ANY($2::uuid[]) OR handle = $5)
), held AS MATERIALIZED (
  SELECT id, ${IS_OWN} AS is_own FROM task
  WHERE workspace_id = $1::uuid AND claimed_by_agent_id IN (SELECT id FROM agents)
    AND status IN ('working', 'input_required', 'auth_required')
)
SELECT 'person' AS what FROM "user"
WHERE workspace_id = $1::uuid AND id = $4::uuid AND lower($5) IN (id::text, lower(email))
UNION ALL
SELECT 'task' FROM task WHERE workspace_id = $1::uuid AND id = $3::uuid AND ${IS_OWN}
UNION ALL
SELECT 'task' FROM held WHERE is_own AND NOT EXISTS (SELECT FROM held WHERE id = $3::uuid) LIMIT 1`;
