const counts = new WeakMap<object, number>();

/** What a request is charged as, in bytes of an answer. */
const REQUEST_BYTES = 65_536;

/** Counts about how many bytes of rows were read for this context, whether or not they are answered. */
export function countReadBytes(ctx: object, bytes: number): void {
  counts.set(ctx, getReadBytes(ctx) + bytes);
}

/** Counts work that costs as much as so many more requests. */
export function countRequests(ctx: object, requests: number): void {
  countReadBytes(ctx, Math.round(requests * REQUEST_BYTES));
}

/** Returns what {@link countReadBytes} and {@link countRequests} counted, to charge it: it is counted no more. */
export function takeReadBytes(ctx: object): number {
  const bytes = getReadBytes(ctx);
  counts.delete(ctx);
  return bytes;
}

/** Returns what {@link countReadBytes} and {@link countRequests} counted. */
export function getReadBytes(ctx: object): number {
  return counts.get(ctx) ?? 0;
}
