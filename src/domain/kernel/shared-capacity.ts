/** Capacity of a node that holders share, such as workspaces. */
export type SharedCapacity = {
  /** Whether this much can be taken: a holder can have at most what would remain for others. */
  fits: (holder: string, amount: number) => boolean;
  /** Takes capacity, also more than there is. */
  take: (holder: string, amount: number) => void;
  release: (holder: string, amount: number) => void;
};

export function createSharedCapacity(capacity: number): SharedCapacity {
  const held = new Map<string, number>();
  let free = capacity;

  function change(holder: string, amount: number): void {
    const now = (held.get(holder) ?? 0) + amount;
    if (now === 0) held.delete(holder);
    else held.set(holder, now);
    free -= amount;
  }

  return {
    fits: (holder, amount) => (held.get(holder) ?? 0) + amount <= free - amount,
    take: change,
    release: (holder, amount) => change(holder, -amount),
  };
}
