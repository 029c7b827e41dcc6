/** The memory that is reserved for a body. */
export type HeldBody = {
  /** Releases all but this many bytes. */
  keep: (bytes: number) => void;
};

/** Reserves memory for a body of a holder; null if there is not enough. */
export type HoldBody = (holder: string, bytes: number) => HeldBody | null;

/**
 * Limits the memory for the bodies of all running requests. One holder can get at most what would remain
 * for others, so that others can always send bodies.
 */
export function createHeldBodies(maxBytes: number): HoldBody {
  const held = new Map<string, number>();
  let free = maxBytes;

  function change(holder: string, bytes: number): void {
    const now = (held.get(holder) ?? 0) + bytes;
    if (now === 0) held.delete(holder);
    else held.set(holder, now);
    free -= bytes;
  }

  return (holder, bytes) => {
    if ((held.get(holder) ?? 0) + bytes > free - bytes) return null;
    let kept = bytes;
    change(holder, kept);
    return {
      keep: (less) => {
        change(holder, less - kept);
        kept = less;
      },
    };
  };
}
