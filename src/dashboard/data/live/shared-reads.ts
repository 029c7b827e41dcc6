/** A read in flight, by what is read. */
const reads = new Map<string, { startedAt: number; result: Promise<unknown> }>();

/** How many components keep a query up to date, by query and variables. */
const watched = new Map<string, number>();

/** Joins a read that another component began since `askedAt`, or begins one. Times are those of `performance.now()`. */
export async function shareRead(key: string, askedAt: number, read: () => Promise<unknown>): Promise<void> {
  const other = reads.get(key);
  if (other !== undefined && other.startedAt >= askedAt) {
    await other.result;
    return;
  }
  const own = { startedAt: performance.now(), result: read() };
  reads.set(key, own);
  await own.result;
  if (reads.get(key) === own) reads.delete(key);
}

/** Notes that a component keeps a query up to date. @returns a function that ends it. */
export function watch(key: string): () => void {
  watched.set(key, (watched.get(key) ?? 0) + 1);
  return () => {
    const others = (watched.get(key) ?? 1) - 1;
    if (others === 0) watched.delete(key);
    else watched.set(key, others);
  };
}

/** Whether a component keeps a query up to date, so that the cache has its result. */
export function isWatched(key: string): boolean {
  return watched.has(key);
}
