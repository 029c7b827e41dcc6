import type { Ctx } from "../kernel/context.ts";

type Labelled = { id: string; label: string | null };

/** For each type of subject its table and what of a row people know it by. A robot's name is its agent's. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ["agent", "SELECT id, name AS label FROM agent"],
  ["robot", "SELECT id, name AS label FROM agent"],
  ["task", "SELECT id, title AS label FROM task"],
  ["mission", "SELECT id, title AS label FROM mission"],
  ["eval_run", "SELECT id, name AS label FROM eval_run"],
  ["agent_command", "SELECT id, type AS label FROM agent_command"],
  ["message", "SELECT id, left(parts -> 0 ->> 'text', 200) AS label FROM message"],
  ["user", `SELECT id, COALESCE(name, email, user_name) AS label FROM "user"`],
  ["group", `SELECT id, display_name AS label FROM "group"`],
]);

/**
 * Reads what people call the things that events are about, in one statement for each type among them. Who has
 * an event may read its subject. A subject is named by its type and its id, with a blank between them.
 *
 * @returns by the subject; what is gone, or has no name, is missing.
 */
export async function readSubjectLabels(ctx: Ctx, subjects: readonly string[]): Promise<Map<string, string>> {
  const read = [...LABELS].map(async ([type, select]) => {
    const prefix = `${type} `;
    const ids = subjects.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    if (ids.length === 0) return [];
    const statement = {
      name: `subject_labels_${type}`,
      text: `${select} WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`,
    };
    const rows = await ctx.readShared<Labelled>(statement, [ctx.workspaceId, ids]);
    return rows.flatMap(({ id, label }) => (label === null ? [] : [[`${prefix}${id}`, label] as const]));
  });
  return new Map((await Promise.all(read)).flat());
}
