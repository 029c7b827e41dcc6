import { setImmediate } from "node:timers/promises";
import type { Ctx } from "../domain/kernel/context.ts";
import { append } from "../domain/kernel/events.ts";
import { addSeconds } from "./times.ts";
import type { PastEvent } from "./history.ts";
import { lockDemo } from "./lock-demo.ts";
import type { DemoWorld } from "./demo-world.ts";

/** A source of events, unit by unit. */
type HistorySource = { units: number; buildHistory: (world: DemoWorld, unit: number) => PastEvent[] };

const DAY_SECONDS = 86_400;
/** Units per batch. Other work of the process runs in between. */
const BATCH = 50;

/**
 * Writes the events of all rows that are younger than the retention period, in order of time and in one
 * transaction, unless they exist. Runs before the rows are inserted, so that their later events come after
 * these.
 */
export async function writeHistory(
  ctx: Ctx,
  fixtures: readonly HistorySource[],
  { world, signal }: { world: DemoWorld; signal?: AbortSignal | undefined },
): Promise<void> {
  const { eventRetentionDays } = await ctx.db.workspace.findUniqueOrThrow({ where: { id: ctx.workspaceId } });
  const since = addSeconds(world.end, -eventRetentionDays * DAY_SECONDS);
  const events: PastEvent[] = [];
  for (const fixture of fixtures) {
    for (let unit = 0; unit < fixture.units; unit++) {
      events.push(...fixture.buildHistory(world, unit));
      if (unit % BATCH === 0) await setImmediate();
      if (signal?.aborted === true) return;
    }
  }
  const sorted = keepWholeSince(events, since).toSorted((a, b) => a.at.getTime() - b.at.getTime());
  await ctx.transaction(async (tx) => {
    await lockDemo(tx);
    const changes = { collection: "events", rows: sorted.length };
    const action = "demo.history_written";
    if ((await tx.db.auditEvent.count({ where: { action } })) > 0) return;
    const target = { targetType: "workspace", targetId: ctx.workspaceId };
    append(tx, { events: sorted, audit: [{ action, ...target, changes }] });
  });
}

/** Returns the events of the rows whose first event is young enough. */
function keepWholeSince(events: readonly PastEvent[], since: Date): PastEvent[] {
  const first = new Map<string, Date>();
  for (const { subjectId, at } of events) {
    const known = first.get(subjectId);
    if (known === undefined || at < known) first.set(subjectId, at);
  }
  return events.filter(({ subjectId }) => (first.get(subjectId) ?? since) > since);
}
