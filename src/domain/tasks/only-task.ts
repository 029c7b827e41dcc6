/** SQL for the id of the task that an agent works on. Null if it holds none, or more than one. */
export function onlyTaskSql(workspaceId: string, agentId: string): string {
  return `(
  SELECT CASE WHEN count(*) = 1 THEN min(h.id::text) END FROM (
    SELECT id FROM task WHERE workspace_id = ${workspaceId} AND claimed_by_agent_id = ${agentId}
      AND status IN ('working', 'input_required', 'auth_required') LIMIT 2
  ) h)`;
}
