import { sql } from "../../db/sql.ts";
import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { EVENT_COLUMNS, IS_TOLD, type StoredEvent } from "./stored-event.ts";
import { listVisibleSubjects } from "./list-visible-subjects.ts";

const shape = z.object({
  subjectId: uuid,
  first: wholeNumber(LIMITS.eventsPage).default(LIMITS.eventsPage.default),
  /** Only events with a smaller `seq`. */
  beforeSeq: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }).nullish(),
});

/**
 * Lists the events of one row that are kept and that the caller may see, newest first.
 *
 * @throws {DomainError} insufficient_scope without `events:read`; validation_failed.
 */
export async function listSubjectEvents(ctx: Ctx, input: z.input<typeof shape>): Promise<StoredEvent[]> {
  requireScope(ctx, "events:read");
  const { subjectId, first, beforeSeq } = parseInput(shape, input);
  const values = [ctx.workspaceId, subjectId, first, beforeSeq ?? null, listVisibleSubjects(ctx.actor)];
  return ctx.read(HISTORY, values);
}

const HISTORY = sql<StoredEvent>`
SELECT ${EVENT_COLUMNS} FROM workspace_head h JOIN event e ON e.workspace_id = h.workspace_id
WHERE h.workspace_id = $1::uuid AND e.subject_id = $2::uuid AND ($4::bigint IS NULL OR e.seq < $4)
  AND ($5::text[] IS NULL OR e.subject_type = ANY($5)) AND ${IS_TOLD}
ORDER BY e.seq DESC LIMIT $3::int`;
