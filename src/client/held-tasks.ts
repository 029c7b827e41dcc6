/** The tasks that one client works on, so that who hears of a cancel can end the work. */
export type HeldTasks = {
  /** @returns what is called when the work has ended. */
  hold: (id: string, cancel: () => void) => () => void;
  /** @returns whether the task was worked on. */
  cancel: (id: string) => boolean;
  /** Said by who hears of cancels by itself. @returns what is called when it does no more. */
  listen: () => () => void;
  isListening: () => boolean;
};

/** Keeps what a client works on. */
export function createHeldTasks(): HeldTasks {
  const cancels = new Map<string, Set<() => void>>();
  let listeners = 0;
  return {
    hold: (id, cancel) => {
      const own = cancels.get(id) ?? new Set();
      cancels.set(id, own.add(cancel));
      return () => {
        own.delete(cancel);
        if (own.size === 0 && cancels.get(id) === own) cancels.delete(id);
      };
    },
    cancel: (id) => {
      const own = cancels.get(id);
      for (const cancel of own ?? []) cancel();
      return own !== undefined;
    },
    listen: () => {
      listeners++;
      return () => void listeners--;
    },
    isListening: () => listeners > 0,
  };
}
