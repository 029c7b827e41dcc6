import type { Actor } from "../../src/domain/kernel/actor.ts";
import { listVisibleSubjects } from "../../src/domain/event-log/list-visible-subjects.ts";
import { SCOPES } from "../../src/domain/kernel/scopes.ts";
import type { TestDatabase } from "./database.ts";

const AGENT: Actor = {
  ...{ type: "agent", id: "x", name: "x", scopes: new Set(SCOPES) },
  credential: {
    kind: "api_key",
    id: "x",
    parent: { kind: "api_key", id: "x" },
    lineageId: "x",
    expiresAt: null,
  },
};

/** The numbers of a workspace's events after one, as stored, that are visible to an agent with every scope. */
export async function storedSeqs(
  { query }: TestDatabase,
  workspaceId: string,
  after: number,
): Promise<number[]> {
  const rows = await query<{ seq: string }>(
    "SELECT seq FROM event WHERE workspace_id = $1 AND seq > $2 AND subject_type = ANY ($3) ORDER BY seq",
    [workspaceId, after, listVisibleSubjects(AGENT)],
  );
  return rows.map(({ seq }) => Number(seq));
}

/** Creates many events of a workspace at once, each with this many characters of data. */
export async function insertEvents(
  { query }: TestDatabase,
  workspaceId: string,
  { count, size = 10 }: { count: number; size?: number },
): Promise<void> {
  await query(
    `WITH head AS (UPDATE workspace_head SET seq = seq + $2::int WHERE workspace_id = $1 RETURNING seq - $2::int AS base)
     INSERT INTO event (workspace_id, seq, id, type, subject_type, subject_id, actor, data, occurred_at)
     SELECT $1, base + n, gen_random_uuid(), 'task.updated', 'task', gen_random_uuid(),
       '{"type":"system","id":null,"name":"test"}', jsonb_build_object('note', repeat('x', $3::int)), clock_timestamp()
     FROM head, generate_series(1, $2::int) n`,
    [workspaceId, count, size],
  );
}
