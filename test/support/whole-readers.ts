import { expect } from "vitest";
import { parseEventPosition } from "../../src/domain/event-log/event-cursor.ts";
import { listEvents } from "../../src/domain/event-log/list-events.ts";
import { storedSeqs } from "./event-log.ts";
import type { EventReader } from "./event-reader.ts";
import type { TestWorld } from "./test-world.ts";

/** Where a workspace's events stand: agents that come and go make some at any moment. */
export async function readPosition({
  ctx,
}: Pick<TestWorld, "ctx">): Promise<{ after: number; cursor: string }> {
  const { cursor } = await listEvents(ctx, {});
  return { after: parseEventPosition("after", cursor).seq, cursor };
}

/**
 * Holds that readers got every event after one that the database has, in order and once, and stops them.
 *
 * @returns how many came in all.
 */
export async function expectWhole(
  { server, workspaceId }: Pick<TestWorld, "server" | "workspaceId">,
  readers: readonly EventReader[],
  after: number,
): Promise<number> {
  const stored = await storedSeqs(server.database, workspaceId, after);
  const last = stored.at(-1) ?? 0;
  expect(readers.length).toBeGreaterThan(0);
  for (const reader of readers) {
    await reader.reached(last);
    reader.stop();
    // More may have come since the database was asked.
    expect(reader.seqs.filter((seq) => seq <= last)).toEqual(stored);
    expect(reader.resets).toEqual([]);
  }
  return stored.length * readers.length;
}
