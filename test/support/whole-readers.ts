import { expect } from "vitest";
import { parseEventPosition } from "../../src/domain/event-log/event-cursor.ts";
import { listEvents } from "../../src/domain/event-log/list-events.ts";
import { storedSeqs } from "./event-log.ts";
import type { EventReader } from "./event-reader.ts";
import type { TestWorld } from "./test-world.ts";

/** The last number of a workspace's events, which presence can change at any time. */
export async function readPosition({
  ctx,
}: Pick<TestWorld, "ctx">): Promise<{ after: number; cursor: string }> {
  const { cursor } = await listEvents(ctx, {});
  return { after: parseEventPosition("after", cursor).seq, cursor };
}

/**
 * Expects that readers received every stored event after one, once and in order, and stops them.
 *
 * @returns the number of received events.
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
    // More may have arrived since the query.
    expect(reader.seqs.filter((seq) => seq <= last)).toEqual(stored);
    expect(reader.resets).toEqual([]);
  }
  return stored.length * readers.length;
}
