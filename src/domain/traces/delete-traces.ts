import { z } from "zod";
import { sql } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { SPAN_LIMITS } from "./span-limits.ts";

/** How many traces and spans were deleted, and whether there are more. */
export type DeletedTraces = { traces: number; spans: number; hasMore: boolean };

/** What ends a batch, so that nobody waits long. One trace may have more spans. */
const MOST = { traces: 1000, spans: 20_000 } as const;

const shape = z.object({
  conversationId: text(SPAN_LIMITS.wordLength).nullish(),
  agentId: uuid.nullish(),
});

/**
 * Deletes traces of a conversation or an agent, or what both have in common, the newest first: their spans, content,
 * scores and calls. Sums of usage stay. Deletes a batch; to be called again while there are more.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; validation_failed.
 */
export async function deleteTraces(ctx: Ctx, input: z.input<typeof shape>): Promise<DeletedTraces> {
  requireSudo(ctx, "admin");
  const { conversationId = null, agentId = null } = parseInput(shape, input);
  if (conversationId === null && agentId === null) {
    throw createFieldError("conversationId", "is required without an agent");
  }
  const chosen = [ctx.workspaceId, conversationId, agentId];
  return ctx.transaction(async (tx) => {
    const traces = await tx.run(LOCK_TRACES, chosen);
    if (traces.length === 0) return { traces: 0, spans: 0, hasMore: false };
    const spans = await deleteSpans(tx, traces);
    const ids = traces.map(({ id }) => id);
    for (const statement of [DELETE_CALLS, DELETE_NOTES, DELETE_TRACES]) {
      await tx.run(statement, [ctx.workspaceId, ids]);
    }
    const [left] = await tx.run(FIND_TRACE, chosen);
    const subject = { subjectType: "workspace", subjectId: ctx.workspaceId };
    const changes = { conversation_id: conversationId, agent_id: agentId, traces: ids.length, spans };
    append(tx, {
      events: [{ type: "workspace.traces_deleted", ...subject, data: { traces: ids.length } }],
      audit: [
        {
          ...{ action: "workspace.traces_deleted", targetType: "workspace", targetId: ctx.workspaceId },
          changes,
        },
      ],
    });
    return { traces: ids.length, spans, hasMore: left !== undefined };
  });
}

type LockedTrace = { id: string; day: string };

/** Those of one day at once: they are in one partition. */
async function deleteSpans({ ctx, run }: Transaction, traces: readonly LockedTrace[]): Promise<number> {
  let spans = 0;
  for (const day of new Set(traces.map((trace) => trace.day))) {
    const ids = traces.filter((trace) => trace.day === day).map(({ id }) => id);
    const values = [ctx.workspaceId, day, ids];
    await run(DELETE_CONTENT, values);
    const [deleted] = await run(DELETE_SPANS, values);
    spans += deleted?.spans ?? 0;
  }
  return spans;
}

const CHOSEN = `t.workspace_id = $1::uuid AND ($2::text IS NULL OR t.conversation_id = $2)
  AND ($3::uuid IS NULL OR t.agent_id = $3)`;

/** Locks a batch, in the order in which those who store spans do. */
const LOCK_TRACES = sql<LockedTrace>`
SELECT t.id, t.day::text FROM trace t WHERE t.workspace_id = $1::uuid AND t.id IN (
  SELECT c.id FROM (
    SELECT n.id, sum(n.span_count) OVER (ORDER BY n.created_at DESC, n.id DESC) - n.span_count AS before
    FROM (
      SELECT t.id, t.created_at, t.span_count FROM trace t WHERE ${CHOSEN}
      ORDER BY t.created_at DESC, t.id DESC LIMIT ${MOST.traces}
    ) n
  ) c WHERE c.before < ${MOST.spans}
) ORDER BY t.id FOR UPDATE OF t`;

const FIND_TRACE = sql<{ id: string }>`SELECT t.id FROM trace t WHERE ${CHOSEN} LIMIT 1`;

const DELETE_CONTENT = sql`
DELETE FROM span_content WHERE workspace_id = $1::uuid AND day = $2::date AND trace_id = ANY($3::uuid[])`;

const DELETE_SPANS = sql<{ spans: number }>`
WITH deleted AS (
  DELETE FROM span WHERE workspace_id = $1::uuid AND day = $2::date AND trace_id = ANY($3::uuid[]) RETURNING 1
) SELECT count(*)::int4 AS spans FROM deleted`;

const DELETE_CALLS = sql`DELETE FROM usage_call WHERE workspace_id = $1::uuid AND trace_id = ANY($2::uuid[])`;

const DELETE_NOTES = sql`DELETE FROM usage_trace WHERE workspace_id = $1::uuid AND trace_id = ANY($2::uuid[])`;

const DELETE_TRACES = sql`DELETE FROM trace WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`;
