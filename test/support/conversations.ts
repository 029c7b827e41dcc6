import type { TestDatabase } from "./database.ts";

/** The stored conversations and open questions of a workspace, and those derived from its messages. */
type Truths = { kept: unknown; true: unknown };

/** Reads a workspace's stored conversations, and derives the same from its messages and tasks. */
export async function readConversationTruths(
  { database }: { database: Pick<TestDatabase, "query"> },
  workspaceId: string,
): Promise<Truths> {
  const [truths] = await database.query<Truths>(
    `WITH said AS (
       SELECT m.context_id, m.id, m.created_at, m.waiting AS kept, m.kind = 'question' AND (
         m.answered_by_id IS NULL AND m.task_id IS NULL OR EXISTS (
           SELECT FROM task t WHERE t.workspace_id = m.workspace_id AND t.question_id = m.id
             AND t.status = 'input_required')) AS waits
       FROM message m WHERE m.workspace_id = $1
     )
     SELECT jsonb_build_array(
       (SELECT jsonb_agg(jsonb_build_array(context_id, last_message_id, last_message_at, message_count, waiting)
          ORDER BY context_id) FROM conversation WHERE workspace_id = $1),
       (SELECT jsonb_object_agg(facet, total) FROM collection_total
          WHERE workspace_id = $1 AND collection = 'messages' AND total <> 0),
       (SELECT jsonb_agg(id ORDER BY id) FROM said WHERE kept)
     ) AS kept, jsonb_build_array(
       (SELECT jsonb_agg(jsonb_build_array(context_id, last_id, last_at, count, waits) ORDER BY context_id) FROM (
          SELECT context_id, (array_agg(id ORDER BY created_at DESC, id DESC))[1] AS last_id,
            max(created_at) AS last_at, count(*) AS count, bool_or(waits) AS waits
          FROM said GROUP BY context_id) each),
       (SELECT jsonb_object_agg(facet, total) FROM (
          SELECT 'all' AS facet, count(*) AS total FROM said HAVING count(*) > 0
          UNION ALL SELECT 'waiting', count(*) FROM said WHERE waits HAVING count(*) > 0) counted),
       (SELECT jsonb_agg(id ORDER BY id) FROM said WHERE waits)
     ) AS true`,
    [workspaceId],
  );
  if (truths === undefined) throw new Error("no answer");
  return truths;
}
