/** Random choices from a seed. The same seed gives the same choices in the same order. */
export type Random = {
  /** From 0 to less than 1. */
  next: () => number;
  between: (least: number, most: number) => number;
  /** A whole number, including both ends. */
  whole: (least: number, most: number) => number;
  chance: (probability: number) => boolean;
  pick: <Item>(items: readonly Item[]) => Item;
  /** One of the keys, with probabilities by weight. */
  weigh: <Key extends string>(weights: Readonly<Record<Key, number>>) => Key;
};

export function createRandom(seed: string): Random {
  const next = mulberry32(hashSeed(seed));
  function between(least: number, most: number): number {
    return least + next() * (most - least);
  }
  function whole(least: number, most: number): number {
    return Math.floor(between(least, most + 1));
  }
  return {
    next,
    between,
    whole,
    chance: (probability) => next() < probability,
    pick: (items) => itemAt(items, whole(0, items.length - 1)),
    weigh: (weights) => pickWeighted(weights, next()),
  };
}

/** @see https://github.com/cprosche/mulberry32 */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** FNV-1a of the seed's characters. */
function hashSeed(seed: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < seed.length; index++) {
    hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193);
  }
  return hash;
}

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error("the list to pick from is empty");
  return item;
}

function pickWeighted<Key extends string>(weights: Readonly<Record<Key, number>>, share: number): Key {
  // Object.keys() loses the keys' types.
  const keys = Object.keys(weights) as Key[];
  let left = share * keys.reduce((sum, key) => sum + weights[key], 0);
  for (const key of keys) {
    left -= weights[key];
    if (left < 0) return key;
  }
  return itemAt(keys, keys.length - 1);
}
