import type { TestDatabase } from "./database.ts";

/** A root has no parent here, began first, and ended last of those that began together. */
const ROOT_FIRST = "parent_span_id IS NOT NULL, started_at, COALESCE(ended_at, '-infinity') DESC, span_id";

/** All that is stored of a workspace's spans, in the order of their ids. */
export async function readStoredSpans(
  { query }: TestDatabase,
  workspaceId: string,
): Promise<Record<string, unknown>[]> {
  return query(
    `SELECT s.*, encode(s.span_id, 'hex') AS span_id, encode(s.parent_span_id, 'hex') AS parent_span_id,
       s.started_at::text, s.ended_at::text, n.name, c.input, c.output, r.attributes AS resource
     FROM span s
     LEFT JOIN span_name n ON n.workspace_id = s.workspace_id AND n.id = s.name_id
     LEFT JOIN span_resource r ON r.workspace_id = s.workspace_id AND r.id = s.resource_id
     LEFT JOIN span_content c ON c.workspace_id = s.workspace_id AND c.day = s.day AND c.trace_id = s.trace_id
       AND c.span_id = s.span_id
     WHERE s.workspace_id = $1 ORDER BY s.trace_id, s.span_id`,
    [workspaceId],
  );
}

/** The sums of a workspace's traces, and the same sums counted from their spans. */
export async function readTraceSums(
  { query }: TestDatabase,
  workspaceId: string,
): Promise<{ stored: unknown[]; counted: unknown[] }> {
  const columns = `span_count, open_count, error_count, llm_count, tool_count, work_count, plumbing, started_at::text,
    ended_at::text, encode(root_span_id, 'hex') AS root, root_name, status::text`;
  const stored = await query(`SELECT id, ${columns} FROM trace WHERE workspace_id = $1 ORDER BY id`, [
    workspaceId,
  ]);
  const counted = await query(
    `SELECT s.trace_id AS id, count(*)::int AS span_count, count(*) FILTER (WHERE ended_at IS NULL)::int AS open_count,
       count(*) FILTER (WHERE status = 'error')::int AS error_count,
       count(*) FILTER (WHERE op = 'llm')::int AS llm_count, count(*) FILTER (WHERE op = 'tool')::int AS tool_count,
       count(*) FILTER (WHERE op <> 'other')::int AS work_count,
       bool_and(op = 'other' AND status <> 'error') AS plumbing,
       min(started_at)::text AS started_at, max(ended_at)::text AS ended_at,
       encode((array_agg(span_id ORDER BY ${ROOT_FIRST}))[1], 'hex') AS root,
       (array_agg(n.name ORDER BY ${ROOT_FIRST}))[1] AS root_name,
       CASE WHEN (array_agg(status ORDER BY ${ROOT_FIRST}))[1] <> 'unset'
         THEN (array_agg(status ORDER BY ${ROOT_FIRST}))[1]::text
         WHEN count(*) FILTER (WHERE status = 'error') > 0 THEN 'error' ELSE 'unset' END AS status
     FROM span s JOIN span_name n ON n.workspace_id = s.workspace_id AND n.id = s.name_id
     WHERE s.workspace_id = $1 GROUP BY s.trace_id ORDER BY s.trace_id`,
    [workspaceId],
  );
  return { stored, counted };
}
