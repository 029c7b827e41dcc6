import { type Batches, type WriteItems, createBatches } from "./batches.ts";
import { DomainError } from "./errors.ts";

/** Writes items of the same kind together: of each workspace, one batch after the other. */
export type WorkspaceBatches = {
  /**
   * Adds an item. All items are written by the same function.
   *
   * @returns what `write` returns for the item.
   * @throws {DomainError} unavailable if too many of the workspace wait, or the process stops; as `write`.
   */
  add: <Item, Result>(workspaceId: string, item: Item, write: WriteItems<Item, Result>) => Promise<Result>;
  /** Writes what is left. */
  close: () => Promise<void>;
};

type Queue = { pending: number; batches: Batches<unknown, unknown> };

/** Items of one batch. */
const BATCH = 200;
/** Items of a workspace that wait. */
const MOST_WAITING = 5000;

/**
 * No workspace takes more than one connection, and none waits for another.
 *
 * @param afterMs how long an item waits for others.
 */
export function createWorkspaceBatches(afterMs = 0): WorkspaceBatches {
  const queues = new Map<string, Queue>();
  let isClosed = false;

  return {
    add: async <Item, Result>(workspaceId: string, item: Item, write: WriteItems<Item, Result>) => {
      if (isClosed) throw new DomainError("unavailable", "The server is stopping. Try again.");
      const queue = queues.get(workspaceId) ?? {
        pending: 0,
        batches: createBatches<unknown, unknown>(BATCH, (items) => write(items as Item[])),
      };
      queues.set(workspaceId, queue);
      if (queue.pending >= MOST_WAITING) {
        throw new DomainError(
          "unavailable",
          "Too many requests of this workspace at once. Try again in a few seconds.",
        );
      }
      queue.pending++;
      try {
        // Written by `write`, as all others of the queue.
        return (await queue.batches.add(item, afterMs)) as Result;
      } finally {
        queue.pending--;
        if (queue.pending === 0) queues.delete(workspaceId);
      }
    },
    close: async () => {
      isClosed = true;
      await Promise.all(Array.from(queues.values(), ({ batches }) => batches.close()));
    },
  };
}
