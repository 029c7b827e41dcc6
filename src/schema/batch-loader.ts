import { setImmediate } from "node:timers/promises";
import type { Ctx } from "../domain/kernel/context.ts";

/** Loads the values of some keys. Keys without a value may be missing. */
type Load<Value> = (ctx: Ctx, keys: string[]) => Promise<ReadonlyMap<string, Value>>;

/**
 * Combines the reads of one answer: all keys requested in one turn of the event loop are loaded at once.
 *
 * @returns a function that loads one key; undefined if it has no value.
 */
export function createBatchLoader<Value>(
  load: Load<Value>,
): (ctx: Ctx, key: string) => Promise<Value | undefined> {
  const waiting = new WeakMap<Ctx, { keys: Set<string>; loaded: ReturnType<Load<Value>> }>();
  return async (ctx, key) => {
    const batch = waiting.get(ctx) ?? open(ctx);
    batch.keys.add(key);
    return (await batch.loaded).get(key);
  };

  function open(ctx: Ctx) {
    const keys = new Set<string>();
    const loaded = setImmediate().then(() => {
      waiting.delete(ctx);
      return load(ctx, [...keys]);
    });
    const batch = { keys, loaded };
    waiting.set(ctx, batch);
    return batch;
  }
}
