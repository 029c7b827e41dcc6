import { type Statement, share, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";

type Labelled = { id: string; label: string | null };

function labels(select: string): Statement<Labelled> {
  return share(sql<Labelled>`${select} WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`);
}

const PERSON = labels(`SELECT id, COALESCE(name, email, user_name) AS label FROM "user"`);

/** The table and label of each subject type. A robot's name is its agent's, and second factors', notifications' and inbox items' the person's. */
const LABELS: ReadonlyMap<string, Statement<Labelled>> = new Map([
  ["agent", labels("SELECT id, name AS label FROM agent")],
  ["robot", labels("SELECT id, name AS label FROM agent")],
  ["task", labels("SELECT id, title AS label FROM task")],
  ["mission", labels("SELECT id, title AS label FROM mission")],
  ["policy", labels("SELECT id, name AS label FROM policy")],
  ["gateway_entity", labels("SELECT id, entity_id AS label FROM gateway_entity")],
  ["approval", labels("SELECT id, resource_id AS label FROM approval")],
  ["execution", labels("SELECT id, resource_id AS label FROM execution")],
  ["budget", labels("SELECT id, name AS label FROM budget")],
  ["alert_rule", labels("SELECT id, name AS label FROM alert_rule")],
  ["floor_plan", labels("SELECT id, map_id AS label FROM floor_plan")],
  ["mission_template", labels("SELECT id, name AS label FROM mission_template")],
  ["trace", labels("SELECT id, root_name AS label FROM trace")],
  ["model_price", labels("SELECT id, model AS label FROM model_price")],
  ["mcp_server", labels("SELECT id, name AS label FROM mcp_server")],
  ["workload_trust", labels("SELECT id, name AS label FROM workload_trust")],
  ["webhook_endpoint", labels("SELECT id, url AS label FROM webhook_endpoint")],
  ["mcp_tool", labels("SELECT id, name AS label FROM mcp_tool")],
  ["decision", labels("SELECT id, resource_id AS label FROM decision")],
  ["eval_run", labels("SELECT id, name AS label FROM eval_run")],
  ["agent_command", labels("SELECT id, type AS label FROM agent_command")],
  ["message", labels("SELECT id, left(parts -> 0 ->> 'text', 200) AS label FROM message")],
  ["user", PERSON],
  ["second_factor", PERSON],
  ["notification_settings", PERSON],
  ["inbox_item", PERSON],
  ["group", labels(`SELECT id, display_name AS label FROM "group"`)],
]);

/**
 * Reads labels of events' subjects, with one statement per type. Whoever sees an event may read its
 * subject. Subjects are given as type and id, separated by a space.
 *
 * @returns labels by subject. Subjects that were deleted or have no name are left out.
 */
export async function readSubjectLabels(ctx: Ctx, subjects: readonly string[]): Promise<Map<string, string>> {
  const read = [...LABELS].map(async ([type, statement]) => {
    const prefix = `${type} `;
    const ids = subjects.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    if (ids.length === 0) return [];
    const rows = await ctx.read(statement, [ctx.workspaceId, ids]);
    return rows.flatMap(({ id, label }) => (label === null ? [] : [[`${prefix}${id}`, label] as const]));
  });
  return new Map((await Promise.all(read)).flat());
}
