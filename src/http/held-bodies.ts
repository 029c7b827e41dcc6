/** A body that room was made for. */
export type HeldBody = {
  /** Gives back the room for all but so many bytes. */
  keep: (bytes: number) => void;
};

/** Makes room for a body of so many bytes, of a workspace or an address; null where there is none. */
export type HoldBody = (holder: string, bytes: number) => HeldBody | null;

/**
 * Bounds what the bodies of requests that are read and answered hold together. Nobody may hold more than what is still
 * free then, so that whoever comes next finds room, however much one of the others sends.
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
