import { setImmediate } from "node:timers/promises";
import type { Ctx } from "../../domain/context.ts";
import { append } from "../../domain/events.ts";
import type { Chapter } from "./chapter.ts";
import { lockDemo } from "./lock-demo.ts";
import type { World } from "./world.ts";

const BATCH_ROWS = 100;

/**
 * Writes what is missing of a chapter, in batches that each are a transaction with its
 * totals. Between two of them the process does whatever else it has to do.
 */
export async function writeChapter<Row extends { id: string }>(
  ctx: Ctx,
  chapter: Chapter<Row>,
  { world, signal }: { world: World; signal?: AbortSignal | undefined },
): Promise<void> {
  let rows: Row[] = [];
  for (let unit = 0; unit < chapter.units; unit++) {
    rows.push(...chapter.rowsOf(world, unit));
    if (rows.length < BATCH_ROWS && unit < chapter.units - 1) continue;
    if (signal?.aborted === true) return;
    await writeBatch(ctx, chapter, { world, rows });
    rows = [];
    await setImmediate();
  }
}

async function writeBatch<Row extends { id: string }>(
  ctx: Ctx,
  chapter: Chapter<Row>,
  { world, rows }: { world: World; rows: Row[] },
): Promise<void> {
  const { collection, table } = chapter;
  await ctx.transaction(async (tx) => {
    await lockDemo(tx);
    const written = await tx.db.$queryRawUnsafe<{ id: string }[]>(
      `SELECT id FROM ${table} WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`,
      ...[ctx.workspaceId, rows.map(({ id }) => id)],
    );
    const known = new Set(written.map(({ id }) => id));
    const missing = rows.filter(({ id }) => !known.has(id));
    if (missing.length === 0) return;
    await chapter.insert(tx, missing, world);
    const changes = { collection, rows: missing.length };
    const target = { targetType: "workspace", targetId: ctx.workspaceId };
    await append(tx, {
      // What happened to them is in the history.
      events: [],
      totals: [
        ...missing.map((row) => ({ collection, to: chapter.statusOf(row) })),
        ...(chapter.alsoChanged?.(missing) ?? []),
      ],
      audit: [{ action: "demo.filled", ...target, changes }],
    });
  });
}
