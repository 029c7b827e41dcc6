/** The tasks a client is working on, so that a cancellation can abort the work. */
export type HeldTasks = {
  /** @returns a function to call when the work has ended. */
  hold: (id: string, cancel: () => void) => () => void;
  /** @returns whether the client was working on the task. */
  cancel: (id: string) => boolean;
  /** Called by a loop that receives cancellations itself. @returns a function to call when it stops. */
  listen: () => () => void;
  isListening: () => boolean;
};

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
