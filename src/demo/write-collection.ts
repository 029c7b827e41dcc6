import { setImmediate } from "node:timers/promises";
import { buildStatement } from "../db/sql.ts";
import type { Ctx } from "../domain/kernel/context.ts";
import { append } from "../domain/kernel/events.ts";
import type { CollectionFixture } from "./collection-fixture.ts";
import { lockDemo } from "./lock-demo.ts";
import type { DemoWorld } from "./demo-world.ts";

const BATCH_ROWS = 100;

/**
 * Writes the missing rows of a collection in batches, each a transaction with its totals. Other work of the
 * process runs between batches.
 */
export async function writeCollection<Row extends { id: string }>(
  ctx: Ctx,
  fixture: CollectionFixture<Row>,
  { world, signal }: { world: DemoWorld; signal?: AbortSignal | undefined },
): Promise<void> {
  let rows: Row[] = [];
  for (let unit = 0; unit < fixture.units; unit++) {
    rows.push(...fixture.buildRows(world, unit));
    if (rows.length < BATCH_ROWS && unit < fixture.units - 1) continue;
    if (signal?.aborted === true) return;
    await writeBatch(ctx, fixture, { world, rows });
    rows = [];
    await setImmediate();
  }
}

async function writeBatch<Row extends { id: string }>(
  ctx: Ctx,
  fixture: CollectionFixture<Row>,
  { world, rows }: { world: DemoWorld; rows: Row[] },
): Promise<void> {
  const { collection, table } = fixture;
  await ctx.transaction(async (tx) => {
    await lockDemo(tx);
    const written = await tx.run(
      buildStatement<{ id: string }>(
        "",
        `SELECT id FROM ${table} WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`,
      ),
      [ctx.workspaceId, rows.map(({ id }) => id)],
    );
    const known = new Set(written.map(({ id }) => id));
    const missing = rows.filter(({ id }) => !known.has(id));
    if (missing.length === 0) return;
    await fixture.insert(tx, missing, world);
    const changes = { collection, rows: missing.length };
    const target = { targetType: "workspace", targetId: ctx.workspaceId };
    append(tx, {
      // The history has the events.
      events: [],
      totals: [
        ...missing.map((row) => ({ collection, to: fixture.getStatus(row) })),
        ...(fixture.alsoChanged?.(missing) ?? []),
      ],
      conversations: fixture.listConversations?.(missing) ?? [],
      audit: [{ action: "demo.filled", ...target, changes }],
    });
  });
}
