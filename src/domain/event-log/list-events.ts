import { z } from "zod";
import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { eventCursor } from "../kernel/cursors.ts";
import { waitFor } from "../kernel/wait-for.ts";
import type { EventPosition } from "./event-cursor.ts";
import { type EventFilter, isWanted, toEventFilter } from "./event-filter.ts";
import { type EventStart, readStart } from "./read-start.ts";
import { EVENT_COLUMNS, type StoredEvent } from "./stored-event.ts";

const shape = z.object({
  after: z.string().nullish(),
  types: z.array(z.string()).nullish(),
  subjectId: uuid.nullish(),
  first: wholeNumber(LIMITS.eventsPage).default(LIMITS.eventsPage.default),
  waitSeconds: wholeNumber(LIMITS.waitSeconds).default(LIMITS.waitSeconds.default),
});

/** A page of a workspace's events, oldest first. */
export type EventsPage = {
  events: StoredEvent[];
  /** The position to continue from: `events` has all matching events before it. */
  cursor: string;
  oldestCursor: string;
};

/** The most events that one statement reads, however few match. */
export const WINDOW = 10_000;

/**
 * Lists the workspace's events after a cursor that the caller may read; without a cursor, those from now
 * on. If there are none, waits.
 *
 * @throws {DomainError} insufficient_scope without `events:read`; validation_failed; cursor_expired if
 *   events after the cursor were deleted; the errors of `waitFor`.
 */
export async function listEvents(ctx: Ctx, input: z.input<typeof shape>): Promise<EventsPage> {
  requireScope(ctx, "events:read");
  const { after, types, subjectId, first, waitSeconds } = parseInput(shape, input);
  const filter = toEventFilter(ctx.actor, { types: types ?? null, subjectId: subjectId ?? null });
  const start = await readStart(ctx, after ?? null);
  let { from } = start;
  rejectReset(start);
  function concerns(event: StoredEvent): boolean {
    return isWanted(filter, event);
  }
  const found = await waitFor(ctx, { seconds: waitSeconds, everyMs: Infinity, concerns }, async () => {
    const { events, at, isNewest } = await readEvents(ctx, { from, filter, first });
    from = at;
    return events.length > 0 || !isNewest ? events : null;
  });
  return { events: found ?? [], cursor: toCursor(from), oldestCursor: toCursor(start.oldest) };
}

function rejectReset({ reset, oldest }: EventStart): void {
  if (reset === null) return;
  throw new DomainError(
    "cursor_expired",
    "Events after this cursor were deleted. Read your lists again and continue from now.",
    {
      field: "after",
      oldestCursor: toCursor(oldest),
    },
  );
}

function toCursor({ epoch, seq }: EventPosition): string {
  return eventCursor(epoch, BigInt(seq));
}

/** The state of the log, with each of its events that were read. */
export type Headed = { headEpoch: string; headSeq: number; minSeq: number };
type Asked = { from: EventPosition; filter: EventFilter; first: number };
type FoundEvents = { events: StoredEvent[]; at: EventPosition; isNewest: boolean };

async function readEvents(ctx: Ctx, { from, filter, first }: Asked): Promise<FoundEvents> {
  const { exact, prefixes, subjectId, subjectTypes } = filter;
  const values = [ctx.workspaceId, from.seq, first, exact, prefixes, subjectId, subjectTypes];
  const rows = await ctx.read(EVENTS, values);
  const [head] = rows;
  if (head === undefined) throw createNotFoundError("workspace");
  // Without events there is one row with the head and nulls.
  const events = rows.filter((row): row is Headed & StoredEvent => row.seq !== null);
  const { headEpoch, headSeq, minSeq } = head;
  const newest = { epoch: headEpoch, seq: headSeq };
  const oldest = { epoch: headEpoch, seq: minSeq - 1 };
  // A restore may have happened since the start was read, or while waiting.
  if (headEpoch !== from.epoch) rejectReset({ from, reset: "epoch_changed", newest, oldest });
  if (from.seq < oldest.seq) rejectReset({ from, reset: "cursor_expired", newest, oldest });
  const last = events.length === first ? events.at(-1) : undefined;
  const seq = last?.seq ?? Math.min(headSeq, from.seq + WINDOW);
  return { events, at: { epoch: headEpoch, seq }, isNewest: seq >= headSeq };
}

/**
 * Events after a `seq`, oldest first, and without any one row with nulls. Values: workspace, `seq`, how many, and those
 * of a filter.
 */
export const EVENTS = sql<Headed & (StoredEvent | { seq: null })>`
SELECT h.epoch::text AS "headEpoch", h.seq::float8 AS "headSeq", h.min_seq::float8 AS "minSeq", ${EVENT_COLUMNS}
FROM workspace_head h
LEFT JOIN LATERAL (
  SELECT * FROM event WHERE workspace_id = $1::uuid AND seq > $2::bigint AND seq <= $2::bigint + ${WINDOW}
    AND ($4::text[] IS NULL OR type = ANY($4) OR EXISTS (SELECT 1 FROM unnest($5::text[]) p WHERE starts_with(type, p)))
    AND ($6::uuid IS NULL OR subject_id = $6 OR agent_id = $6)
    AND ($7::text[] IS NULL OR subject_type = ANY($7))
  ORDER BY seq LIMIT $3::int
) e ON true
WHERE h.workspace_id = $1::uuid ORDER BY e.seq`;
