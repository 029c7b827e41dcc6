import { setImmediate } from "node:timers/promises";
import type { Ctx } from "../domain/kernel/context.ts";

/** Reads what belongs to each of some keys; a key that has nothing may be missing. */
type Load<Value> = (ctx: Ctx, keys: string[]) => Promise<ReadonlyMap<string, Value>>;

/**
 * Lets the rows of one answer share one read: what is asked for in one turn of the event loop is loaded at once.
 *
 * @returns what reads one key's; undefined where there is none.
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
