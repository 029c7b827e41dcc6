const counts = new WeakMap<object, number>();

/** Counts about how many bytes of rows were read for this context, whether or not they are answered. */
export function countReadBytes(ctx: object, bytes: number): void {
  counts.set(ctx, getReadBytes(ctx) + bytes);
}

/** Returns what {@link countReadBytes} counted. */
export function getReadBytes(ctx: object): number {
  return counts.get(ctx) ?? 0;
}
