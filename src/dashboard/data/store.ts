import { useSyncExternalStore } from "react";

/** A value outside of React that components can subscribe to. */
export type Store<Value> = {
  get: () => Value;
  set: (next: Value) => void;
  subscribe: (look: () => void) => () => void;
};

/** Creates a store. Setting an equal value notifies no one. */
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

/** A store's value. Rerenders when it changes. */
export function useStore<Value>({ subscribe, get }: Omit<Store<Value>, "set">): Value {
  return useSyncExternalStore(subscribe, get);
}
