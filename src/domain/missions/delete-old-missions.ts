import type { Transaction } from "../context.ts";
import { append } from "../events.ts";

/** Rows of one transaction: few enough that nobody waits for it. */
const BATCH = 200;

const IS_OLD =
  "m.finished_at <= COALESCE($1::timestamptz, now()) - make_interval(days => w.mission_retention_days)";

/** The workspaces that keep missions for longer than they want to. $1 is the time, or null. */
export const OLD_WORKSPACES = `
SELECT w.id FROM workspace w
WHERE EXISTS (SELECT 1 FROM mission m WHERE m.workspace_id = w.id AND m.finished_at IS NOT NULL AND ${IS_OLD})`;

const LOCK = `
SELECT m.id, m.status FROM mission m JOIN workspace w ON w.id = m.workspace_id
WHERE m.workspace_id = $2::uuid AND m.finished_at IS NOT NULL AND ${IS_OLD}
ORDER BY m.finished_at LIMIT ${BATCH} FOR UPDATE OF m SKIP LOCKED`;

/** A list in which a row now refers to nothing, and the row's status; null where the list has none. */
type Forgetful = { collection: "tasks" | "messages" | "agent_commands"; status: string | null };

/** Who names a mission forgets it; its steps go with it. */
const FORGET = `
WITH old AS (SELECT unnest($2::uuid[]) AS id),
tasks AS (UPDATE task t SET mission_id = NULL FROM old WHERE t.workspace_id = $1::uuid AND t.mission_id = old.id
  RETURNING t.status::text),
messages AS (UPDATE message s SET mission_id = NULL FROM old WHERE s.workspace_id = $1::uuid AND s.mission_id = old.id
  RETURNING s.id),
commands AS (UPDATE agent_command c SET mission_id = NULL FROM old
  WHERE c.workspace_id = $1::uuid AND c.mission_id = old.id RETURNING c.status::text)
SELECT 'tasks' AS collection, status FROM tasks
UNION SELECT 'messages', NULL FROM messages
UNION SELECT 'agent_commands', status FROM commands`;

/**
 * Deletes missions that ended longer ago than the workspace keeps them, 200 at most. What refers to them stays,
 * and refers to nothing.
 *
 * @returns how many were deleted.
 */
export async function deleteOldMissions(tx: Transaction): Promise<number> {
  const { db, ctx } = tx;
  const old = await db.$queryRawUnsafe<{ id: string; status: string }[]>(LOCK, ctx.now, ctx.workspaceId);
  if (old.length === 0) return 0;
  const ids = old.map(({ id }) => id);
  const forgetful = await db.$queryRawUnsafe<Forgetful[]>(FORGET, ctx.workspaceId, ids);
  await db.mission.deleteMany({ where: { id: { in: ids } } });
  await append(tx, {
    events: ids.map((id) => ({ type: "mission.deleted", subjectType: "mission", subjectId: id })),
    totals: [
      ...old.map(({ status }) => ({ collection: "missions" as const, from: status })),
      ...forgetful.map(({ collection, status }) => ({ collection, from: status, to: status })),
    ],
  });
  return old.length;
}
