import { z } from "zod";
import { sql } from "../../db/sql.ts";
import type { Trace } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { createNodeWatch } from "../kernel/node-watch.ts";
import { traceId } from "./trace-ids.ts";

/** Where a trace stands. */
export type TraceUpdate = Pick<
  Trace,
  "workspaceId" | "id" | "status" | "generation" | "startedAt" | "spanCount" | "openCount" | "errorCount"
>;

const shape = z.object({ traceId });

/**
 * Streams where a trace stands: first now, then after spans of it came, at most twice a second. Nothing is queued for a
 * slow reader or replayed: it gets the latest state.
 *
 * @param ended ends the stream immediately.
 * @throws {DomainError} insufficient_scope without `traces:read`; validation_failed; not_found.
 */
export async function streamTraceUpdates(
  ctx: Ctx,
  input: z.input<typeof shape>,
  ended: AbortSignal,
): Promise<AsyncGenerator<TraceUpdate, void>> {
  requireScope(ctx, "traces:read");
  const { traceId: id } = parseInput(shape, input);
  const [first] = await ctx.read(UPDATES, [[ctx.workspaceId], [id]]);
  if (first === undefined) throw createNotFoundError("trace");
  return stream(ctx, first, ended);
}

async function* stream(ctx: Ctx, first: TraceUpdate, ended: AbortSignal): AsyncGenerator<TraceUpdate, void> {
  let [latest, told, wake] = [first, -1, () => {}];
  const leave = watch(ctx.services, toKey(first), (update) => {
    latest = update;
    if (latest.generation !== told) wake();
  });
  ended.addEventListener("abort", () => wake(), { once: true });
  try {
    while (!ended.aborted) {
      if (latest.generation !== told) {
        told = latest.generation;
        yield latest;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    leave();
  }
}

/** Rows by their primary keys. */
const UPDATES = sql<TraceUpdate>`
SELECT t.workspace_id AS "workspaceId", t.id, t.status, t.generation, t.started_at AS "startedAt",
  t.span_count AS "spanCount", t.open_count AS "openCount", t.error_count AS "errorCount"
FROM unnest($1::uuid[], $2::uuid[]) g (workspace_id, id)
JOIN trace t ON t.workspace_id = g.workspace_id AND t.id = g.id`;

const watch = createNodeWatch<TraceUpdate>({
  everyMs: 500,
  read: async ({ database }, keys) => {
    const ids = keys.map((key) => key.split(" "));
    const rows = await database.run(UPDATES, [ids.map(([workspace]) => workspace), ids.map(([, id]) => id)]);
    return rows.map((row) => [toKey(row), row]);
  },
  failure: "traces can't be read at the moment",
});

function toKey({ workspaceId, id }: Pick<TraceUpdate, "workspaceId" | "id">): string {
  return `${workspaceId} ${id}`;
}
