import { z } from "zod";
import { sql } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { type Comparisons, filterBy } from "../kernel/filter-by.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { hashPerson, listPersonAttributes } from "./redact-content.ts";
import { parseSearchCursor, writeSearchCursor } from "./search/search-position.ts";
import { searchTraces } from "./search/search-traces.ts";
import { SPAN_LIMITS } from "./span-limits.ts";

/** How many traces and spans were deleted, and whether there may be more. */
export type DeletedTraces = {
  traces: number;
  spans: number;
  hasMore: boolean;
  /** Where to go on with a person's; null without a person, and at the end. */
  endCursor: string | null;
};

/** What ends a batch, so that nobody waits long. One trace may have more spans. */
const MOST = { traces: 1000, spans: 20_000 } as const;

const shape = z.object({
  conversationId: text(SPAN_LIMITS.wordLength).nullish(),
  agentId: uuid.nullish(),
  /** As senders name them, in attributes such as `user.id`. */
  person: text(SPAN_LIMITS.wordLength).nullish(),
  /** The `endCursor` of the call before, with a person. */
  after: z.string().nullish(),
});

type Chosen = { conversationId: string | null; agentId: string | null; person: string | null };

/**
 * Deletes traces of a conversation, an agent or a person, or what they have in common, the newest first: their spans,
 * content, scores and calls. Sums of usage stay. Deletes a batch; to be called again while there are more.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; validation_failed.
 */
export async function deleteTraces(ctx: Ctx, input: z.input<typeof shape>): Promise<DeletedTraces> {
  requireSudo(ctx, "admin");
  const { conversationId = null, agentId = null, person = null, after = null } = parseInput(shape, input);
  const chosen = { conversationId, agentId, person };
  if (person !== null) return deleteOfPerson(ctx, { ...chosen, person }, after);
  if (conversationId === null && agentId === null) {
    throw createFieldError("conversationId", "is required without an agent or a person");
  }
  if (after !== null) throw createFieldError("after", "is only for a person's traces");
  const filter = [ctx.workspaceId, conversationId, agentId];
  return ctx.transaction(async (tx) => {
    const traces = await tx.run(LOCK_TRACES, filter);
    const spans = await deleteLocked(tx, traces, chosen);
    const [left] = await tx.run(FIND_TRACE, filter);
    return { traces: traces.length, spans, hasMore: left !== undefined, endCursor: null };
  });
}

/** Searches for them: no index knows persons. */
async function deleteOfPerson(
  ctx: Ctx,
  chosen: Chosen & { person: string },
  after: string | null,
): Promise<DeletedTraces> {
  const { conversationId, agentId, person } = chosen;
  const { ids, next } = await searchTraces(ctx, {
    indexed: filterBy({ conversationId, agentId }, CHOSEN_COLUMNS) ?? (() => []),
    tried: () => [],
    span: { name: null, attribute: null, tool: null, someOf: listPersonAttributes(ctx.workspaceId, person) },
    after: after === null ? null : parseSearchCursor(after),
    limit: MOST.traces,
  });
  return ctx.transaction(async (tx) => {
    const traces = await tx.run(LOCK_FOUND, [ctx.workspaceId, ids]);
    const spans = await deleteLocked(tx, traces, chosen);
    // Those that were too many for this batch are found again.
    const isCut = traces.length < ids.length && spans >= MOST.spans;
    const endCursor = isCut ? after : next && writeSearchCursor(next);
    return { traces: traces.length, spans, hasMore: isCut || next !== null, endCursor };
  });
}

/** @returns how many spans were deleted. */
async function deleteLocked(
  tx: Transaction,
  traces: readonly LockedTrace[],
  { conversationId, agentId, person }: Chosen,
): Promise<number> {
  if (traces.length === 0) return 0;
  const { workspaceId } = tx.ctx;
  const spans = await deleteSpans(tx, traces);
  const ids = traces.map(({ id }) => id);
  for (const statement of [DELETE_CALLS, DELETE_NOTES, DELETE_TRACES]) {
    await tx.run(statement, [workspaceId, ids]);
  }
  const change = {
    conversation_id: conversationId,
    agent_id: agentId,
    traces: ids.length,
    spans,
    // What is deleted must not stay here.
    ...(person !== null && { person: hashPerson(workspaceId, person) }),
  };
  const type = "workspace.traces_deleted";
  append(tx, {
    events: [{ type, subjectType: "workspace", subjectId: workspaceId, data: { traces: ids.length } }],
    audit: [{ action: type, targetType: "workspace", targetId: workspaceId, changes: change }],
  });
  return spans;
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

const CHOSEN_COLUMNS: Comparisons<Pick<Chosen, "conversationId" | "agentId">> = {
  conversationId: (value) => `conversation_id = ${value}`,
  agentId: (value) => `agent_id = ${value}::uuid`,
};

const CHOSEN = `t.workspace_id = $1::uuid AND ($2::text IS NULL OR t.conversation_id = $2)
  AND ($3::uuid IS NULL OR t.agent_id = $3)`;

/** SQL for the ids of the newest traces `t`, as many as a batch may have. */
function buildBatch(condition: string): string {
  return `
  SELECT c.id FROM (
    SELECT n.id, sum(n.span_count) OVER (ORDER BY n.created_at DESC, n.id DESC) - n.span_count AS before
    FROM (
      SELECT t.id, t.created_at, t.span_count FROM trace t WHERE ${condition}
      ORDER BY t.created_at DESC, t.id DESC LIMIT ${MOST.traces}
    ) n
  ) c WHERE c.before < ${MOST.spans}`;
}

/** Locks a batch, in the order in which those who store spans do. */
const LOCK_TRACES = sql<LockedTrace>`
SELECT t.id, t.day::text FROM trace t WHERE t.workspace_id = $1::uuid AND t.id IN (${buildBatch(CHOSEN)})
ORDER BY t.id FOR UPDATE OF t`;

/** The same of traces that were found. */
const LOCK_FOUND = sql<LockedTrace>`
SELECT t.id, t.day::text FROM trace t WHERE t.workspace_id = $1::uuid
  AND t.id IN (${buildBatch("t.workspace_id = $1::uuid AND t.id = ANY($2::uuid[])")})
ORDER BY t.id FOR UPDATE OF t`;

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
