/** Items that are written together. */
export type Batches<Item, Result = void> = {
  /** Adds an item that is to be written within `afterMs`. Resolves when it was written, or throws why not. */
  add: (item: Item, afterMs: number) => Promise<Result>;
  /** How many items wait. */
  count: () => number;
  /** Writes what is left. */
  close: () => Promise<void>;
};

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** Writes items. Returns for each its result, or the error for which it could not be written. Never throws. */
export type WriteItems<Item, Result> = (
  items: readonly Item[],
) => Promise<readonly PromiseSettledResult<Result>[]>;

/**
 * Collects items for a short time and writes them together, one batch after the other. What is added while a
 * batch is written goes into the next one.
 */
export function createBatches<Item, Result = void>(
  size: number,
  write: WriteItems<Item, Result>,
): Batches<Item, Result> {
  const queue: Waiting<Item, Result>[] = [];
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
      const written = new Promise<Result>((resolve, reject) => queue.push({ item, resolve, reject }));
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

async function writeBatch<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  write: WriteItems<Item, Result>,
): Promise<void> {
  const results = await write(batch.map(({ item }) => item));
  for (const [index, { resolve, reject }] of batch.entries()) {
    const result = results[index];
    if (result?.status === "fulfilled") resolve(result.value);
    else reject(result?.reason);
  }
}
