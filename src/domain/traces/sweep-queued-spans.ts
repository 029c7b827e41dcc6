import { sql } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import type { ServerSpan } from "../kernel/server-span.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { hashId } from "./hash-id.ts";
import { mergeCopies } from "./merge-copies.ts";
import { storeInTraces } from "./store-in-traces.ts";
import { placeInTasks } from "./place-in-tasks.ts";
import { SERVER_RESOURCE, toStoredSpan } from "./to-stored-span.ts";
import { STORE_NAMES } from "./trace-statements.ts";
import { withTracePartitions } from "./with-trace-partitions.ts";

/** Spans per transaction: few, because their traces are locked meanwhile. */
const BATCH = 500;

/** The workspaces that have some. */
export const SPANS_QUEUED = sql<{ id: string }>`
SELECT DISTINCT workspace_id AS id FROM queued_span`;

/**
 * Writes the service's own spans into their traces, as if they came all at once. Any number of nodes may run it at once.
 *
 * @returns how many were taken from the queue.
 */
export async function sweepQueuedSpans(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  return sweepWorkspaces(services, { now, turns }, { due: SPANS_QUEUED, actor: "traces", batch: sweepBatch });
}

async function sweepBatch(ctx: Ctx): Promise<number> {
  const days = new Set([(ctx.now ?? ctx.services.live.now()).toISOString().slice(0, 10)]);
  const { count, turned } = await withTracePartitions(ctx, days, () =>
    ctx.transaction((tx) => storeQueued(tx, days)),
  );
  ctx.services.traceTurns.note(ctx.workspaceId, turned);
  return count;
}

/** What a trace has no room for is left out. */
async function storeQueued(tx: Transaction, days: Set<string>): Promise<{ count: number; turned: string[] }> {
  const { workspaceId } = tx.ctx;
  const queued = await tx.run(TAKE, [workspaceId]);
  if (queued.length === 0) return { count: 0, turned: [] };
  const sorted = queued.toSorted(compareIds).map(({ span }) => span);
  const spans = mergeCopies((await placeInTasks(tx, sorted)).map(toStoredSpan));
  const names = new Map(spans.map(({ nameId, name }) => [nameId, name]));
  await tx.run(STORE_NAMES, [
    ...[workspaceId, [...names.keys()], [...names.values()]],
    ...[[hashId(SERVER_RESOURCE)], [SERVER_RESOURCE]],
  ]);
  const { turned } = await storeInTraces(tx, { spans, senderId: null, days });
  return { count: queued.length, turned };
}

type Queued = { id: string; span: ServerSpan };

function compareIds({ id: one }: Queued, { id: other }: Queued): number {
  return one < other ? -1 : 1;
}

const TAKE = sql<Queued>`
DELETE FROM queued_span WHERE workspace_id = $1::uuid AND id IN (
  SELECT id FROM queued_span WHERE workspace_id = $1::uuid ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
) RETURNING id, span`;
