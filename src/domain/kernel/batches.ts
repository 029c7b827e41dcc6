/** Items that are written together. */
export type Batches<Item> = {
  /** Adds an item that is to be written within `afterMs`. Resolves when it was written, or throws why not. */
  add: (item: Item, afterMs: number) => Promise<void>;
  /** How many items wait. */
  count: () => number;
  /** Writes what is left. */
  close: () => Promise<void>;
};

type Waiting<Item> = { item: Item; resolve: () => void; reject: (error: unknown) => void };

/**
 * Collects items for a short time and writes them together, one batch after the other. What is added while a
 * batch is written goes into the next one.
 *
 * @param write writes items. Returns for each the error for which it could not be written, or null. Never throws.
 */
export function createBatches<Item>(
  size: number,
  write: (items: readonly Item[]) => Promise<readonly unknown[]>,
): Batches<Item> {
  const queue: Waiting<Item>[] = [];
  let timer: NodeJS.Timeout | null = null;
  let dueMs = Infinity;
  let running: Promise<void> | null = null;

  function schedule(afterMs: number): void {
    const atMs = performance.now() + afterMs;
    if (running !== null || atMs >= dueMs) return;
    if (timer !== null) clearTimeout(timer);
    dueMs = atMs;
    timer = setTimeout(start, afterMs);
  }

  function start(): void {
    timer = null;
    dueMs = Infinity;
    running ??= drain().finally(() => {
      running = null;
    });
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) await writeBatch(queue.splice(0, size), write);
  }

  return {
    add: (item, afterMs) => {
      const written = new Promise<void>((resolve, reject) => queue.push({ item, resolve, reject }));
      schedule(queue.length >= size ? 0 : afterMs);
      return written;
    },
    count: () => queue.length,
    close: async () => {
      if (timer !== null) clearTimeout(timer);
      start();
      await running;
    },
  };
}

async function writeBatch<Item>(
  batch: readonly Waiting<Item>[],
  write: (items: readonly Item[]) => Promise<readonly unknown[]>,
): Promise<void> {
  const errors = await write(batch.map(({ item }) => item));
  for (const [index, { resolve, reject }] of batch.entries()) {
    if (errors[index] === null) resolve();
    else reject(errors[index]);
  }
}
