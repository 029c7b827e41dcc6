import { sql } from "../db/sql.ts";
import { EVENT_COLUMNS, type StoredEvent } from "../domain/event-log/stored-event.ts";
import type { LiveDatabase } from "../db/notifications.ts";

/** Some of a workspace's events, with the state of its log at the same instant. */
export type EventSlice = {
  epoch: string;
  /** The newest event's `seq`. */
  head: number;
  /** The oldest kept event's `seq`. */
  minSeq: number;
  events: StoredEvent[];
};

type Row = { workspaceId: string; headEpoch: string; head: number; minSeq: number } & (
  | StoredEvent
  | { seq: null }
);

const HEAD = `h.workspace_id AS "workspaceId", h.epoch::text AS "headEpoch", h.seq::float8 AS head,
  h.min_seq::float8 AS "minSeq"`;

/** The most rows that one statement reads for one workspace and for all together. */
const PULLED = { one: 500, all: 4000, least: 20 };

/** Reads new events of workspaces. Workspaces without news are left out. */
export async function pullEvents(
  database: LiveDatabase,
  known: readonly { workspaceId: string; epoch: string; head: number }[],
): Promise<{ slices: Map<string, EventSlice>; limit: number }> {
  const limit = Math.max(PULLED.least, Math.min(PULLED.one, Math.floor(PULLED.all / known.length)));
  const rows = await database.run(PULL, [
    known.map(({ workspaceId }) => workspaceId),
    known.map(({ epoch }) => epoch),
    known.map(({ head }) => head),
    limit,
  ]);
  const slices = new Map<string, EventSlice>();
  for (const row of rows) addRow(slices, row);
  return { slices, limit };
}

/**
 * Reads a workspace's head and the events after a `seq`, oldest first. Null if the workspace does not
 * exist.
 */
export async function readAfter(
  database: LiveDatabase,
  workspaceId: string,
  { after, limit }: { after: number; limit: number },
): Promise<EventSlice | null> {
  return toSlice(await database.run(AFTER, [workspaceId, after, limit]));
}

/** Reads a workspace's head and its newest events of the last minute, oldest first. */
export async function readNewest(
  database: LiveDatabase,
  workspaceId: string,
  limit: number,
): Promise<EventSlice | null> {
  return toSlice(await database.run(NEWEST, [workspaceId, limit]));
}

function toSlice(rows: readonly Row[]): EventSlice | null {
  const slices = new Map<string, EventSlice>();
  for (const row of rows) addRow(slices, row);
  return [...slices.values()][0] ?? null;
}

function addRow(slices: Map<string, EventSlice>, row: Row): void {
  const { workspaceId, headEpoch: epoch, head, minSeq } = row;
  const slice = slices.get(workspaceId) ?? { epoch, head, minSeq, events: [] };
  slices.set(workspaceId, slice);
  // Without events there is one row with the head and nulls.
  if (row.seq !== null) slice.events.push(toStoredEvent(row));
}

function toStoredEvent({
  epoch,
  seq,
  id,
  type,
  subjectType,
  subjectId,
  agentId,
  actor,
  ...rest
}: StoredEvent): StoredEvent {
  const { data, traceparent, occurredAt } = rest;
  return { epoch, seq, id, type, subjectType, subjectId, agentId, actor, data, traceparent, occurredAt };
}

const PULL = sql<Row>`
SELECT ${HEAD}, ${EVENT_COLUMNS}
FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS f(workspace_id, epoch, seq)
JOIN workspace_head h ON h.workspace_id = f.workspace_id AND (h.epoch <> f.epoch OR h.seq <> f.seq)
LEFT JOIN LATERAL (
  SELECT * FROM event WHERE workspace_id = f.workspace_id AND h.epoch = f.epoch AND seq > f.seq ORDER BY seq LIMIT $4::int
) e ON true
ORDER BY h.workspace_id, e.seq`;

const AFTER = sql<Row>`
SELECT ${HEAD}, ${EVENT_COLUMNS} FROM workspace_head h
LEFT JOIN LATERAL (
  SELECT * FROM event WHERE workspace_id = $1::uuid AND seq > $2::bigint ORDER BY seq LIMIT $3::int
) e ON true
WHERE h.workspace_id = $1::uuid ORDER BY e.seq`;

const NEWEST = sql<Row>`
SELECT ${HEAD}, ${EVENT_COLUMNS} FROM workspace_head h
LEFT JOIN LATERAL (
  SELECT * FROM event WHERE workspace_id = $1::uuid AND seq > h.seq - $2::int
    AND seq > COALESCE((SELECT max(seq) FROM event WHERE workspace_id = $1::uuid AND seq > h.seq - $2::int
      AND occurred_at <= now() - interval '1 minute'), 0)
) e ON true
WHERE h.workspace_id = $1::uuid ORDER BY e.seq`;
