import { groupBy } from "../domain/kernel/group-by.ts";

type Work<Item> = {
  /** How many chains are worked at once. */
  most: number;
  /** Returns whether the chain goes on. */
  act: (item: Item) => Promise<boolean>;
  isOver: () => boolean;
};

/** Works chains, each in order. All of them end once `isOver` is true. */
export async function sendInOrder<Item>(
  chains: readonly (readonly Item[])[],
  { most, act, isOver }: Work<Item>,
): Promise<void> {
  const waiting = chains.values();

  async function work(): Promise<void> {
    for (const chain of waiting) {
      for (const item of chain) {
        if (isOver()) return;
        if (!(await act(item))) break;
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(most, chains.length) }, work));
}

/** Puts items of one subject together, in their order. */
export function toChains<Item extends { subjectId: string }>(items: readonly Item[]): Item[][] {
  return [...groupBy(items, ({ subjectId }) => subjectId).values()];
}
