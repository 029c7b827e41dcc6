import { type Statement, share, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";

type Labelled = { id: string; label: string | null };

function labels(select: string): Statement<Labelled> {
  return share(sql<Labelled>`${select} WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`);
}

/** For each type of subject its table and what of a row people know it by. A robot's name is its agent's. */
const LABELS: ReadonlyMap<string, Statement<Labelled>> = new Map([
  ["agent", labels("SELECT id, name AS label FROM agent")],
  ["robot", labels("SELECT id, name AS label FROM agent")],
  ["task", labels("SELECT id, title AS label FROM task")],
  ["mission", labels("SELECT id, title AS label FROM mission")],
  ["eval_run", labels("SELECT id, name AS label FROM eval_run")],
  ["agent_command", labels("SELECT id, type AS label FROM agent_command")],
  ["message", labels("SELECT id, left(parts -> 0 ->> 'text', 200) AS label FROM message")],
  ["user", labels(`SELECT id, COALESCE(name, email, user_name) AS label FROM "user"`)],
  ["group", labels(`SELECT id, display_name AS label FROM "group"`)],
]);

/**
 * Reads what people call the things that events are about, in one statement for each type among them. Who has
 * an event may read its subject. A subject is named by its type and its id, with a blank between them.
 *
 * @returns by the subject; what is gone, or has no name, is missing.
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
