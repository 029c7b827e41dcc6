import { sql } from "../../db/sql.ts";
import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { EVENT_COLUMNS, IS_TOLD, type StoredEvent } from "./stored-event.ts";
import { listVisibleSubjects } from "./list-visible-subjects.ts";

const shape = z.object({
  first: wholeNumber(LIMITS.eventsPage).default(LIMITS.eventsPage.default),
});

/** The most events that are read, however few the caller may see. */
const WINDOW = 10_000;

/**
 * Lists the workspace's newest events that the caller may see, newest first, without `trace.updated`.
 *
 * @throws {DomainError} insufficient_scope without `events:read`; validation_failed.
 */
export async function listRecentEvents(ctx: Ctx, input: z.input<typeof shape> = {}): Promise<StoredEvent[]> {
  requireScope(ctx, "events:read");
  const { first } = parseInput(shape, input);
  return ctx.read(RECENT, [ctx.workspaceId, first, listVisibleSubjects(ctx.actor)]);
}

const RECENT = sql<StoredEvent>`
SELECT ${EVENT_COLUMNS} FROM workspace_head h JOIN event e ON e.workspace_id = h.workspace_id
WHERE h.workspace_id = $1::uuid AND e.seq > h.seq - ${WINDOW}
  AND ($3::text[] IS NULL OR e.subject_type = ANY($3)) AND ${IS_TOLD}
ORDER BY e.seq DESC LIMIT $2::int`;
