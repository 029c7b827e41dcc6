import { sql } from "../../db/sql.ts";
import { type EntityName, MEMBER } from "../gateway-checks/entity-name.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";

/** What an agent or a person asks people, or an agent does again. `agentId` is null for a person, who is the subject. */
type Asked = { agentId: string | null; taskId: string | null; subject?: unknown };

/**
 * Requires that a person decides about somebody else's work. An agent says for which task it asks; if that is none
 * that it holds, each that it holds counts.
 *
 * @throws {DomainError} self_approval for the person who created the task, or who asks.
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
  const own = await run(OWN_TASK, [ctx.workspaceId, agentId, taskId, userId]);
  if (own.length === 0) return;
  throw new DomainError(
    "self_approval",
    "You created the task for which the agent asks. Somebody else decides.",
  );
}

/** Written by createActorRecord(). */
const IS_OWN = `created_by ->> 'type' = 'user' AND created_by ->> 'id' = $4`;

const OWN_TASK = sql`
WITH held AS MATERIALIZED (
  SELECT id, ${IS_OWN} AS is_own FROM task
  WHERE workspace_id = $1::uuid AND claimed_by_agent_id = $2::uuid AND status IN ('working', 'input_required')
)
SELECT 1 FROM task WHERE workspace_id = $1::uuid AND id = $3::uuid AND ${IS_OWN}
UNION ALL
SELECT 1 FROM held WHERE is_own AND NOT EXISTS (SELECT FROM held WHERE id = $3::uuid) LIMIT 1`;
