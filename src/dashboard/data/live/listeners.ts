import type { LiveEvent } from "./events.ts";

/** Event types to listen for: `task.created`, or `task.*` for a prefix. */
export type EventTypes = readonly string[];

type Listener = { types: EventTypes; onEvent: (event: LiveEvent) => void };

const listeners = new Set<Listener>();
const gapListeners = new Set<() => void>();

/** Calls `onEvent` for each event of these types. @returns a function that stops listening. */
export function listen(types: EventTypes, onEvent: (event: LiveEvent) => void): () => void {
  const listener = { types, onEvent };
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls `onGap` when all data has to be read again. @returns a function that stops listening. */
export function listenForGaps(onGap: () => void): () => void {
  gapListeners.add(onGap);
  return () => gapListeners.delete(onGap);
}

/** Passes an event to its listeners. */
export function notifyEvent(event: LiveEvent): void {
  for (const { types, onEvent } of listeners) {
    if (types.some((type) => matches(type, event.type))) onEvent(event);
  }
}

/** Tells all listeners to read again. */
export function notifyGap(): void {
  for (const onGap of gapListeners) onGap();
}

function matches(asked: string, type: string): boolean {
  return asked.endsWith("*") ? type.startsWith(asked.slice(0, -1)) : asked === type;
}
