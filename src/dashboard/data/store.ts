import { useSyncExternalStore } from "react";

/** A value outside of React, and who looks at it. */
export type Store<Value> = {
  get: () => Value;
  set: (next: Value) => void;
  subscribe: (look: () => void) => () => void;
};

/** Makes one. Who sets the value that it has already wakes nobody. */
export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const looking = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(value, next)) return;
      value = next;
      for (const look of looking) look();
    },
    subscribe: (look) => {
      looking.add(look);
      return () => looking.delete(look);
    },
  };
}

/** A store's value; the component is drawn again when it changes. */
export function useStore<Value>({ subscribe, get }: Store<Value>): Value {
  return useSyncExternalStore(subscribe, get);
}
