import type { LiveEvent } from "./events.ts";

/** What a listener is told of: `task.created`, or `task.*` for all that begins so. */
export type EventTypes = readonly string[];

type Listener = { types: EventTypes; onEvent: (event: LiveEvent) => void };

const listeners = new Set<Listener>();
const gapListeners = new Set<() => void>();

/** Tells of each event of these types. @returns what ends it. */
export function listen(types: EventTypes, onEvent: (event: LiveEvent) => void): () => void {
  const listener = { types, onEvent };
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells when all that was read has to be read again. @returns what ends it. */
export function listenForGaps(onGap: () => void): () => void {
  gapListeners.add(onGap);
  return () => gapListeners.delete(onGap);
}

/** Passes an event to whom it concerns. */
export function notifyEvent(event: LiveEvent): void {
  for (const { types, onEvent } of listeners) {
    if (types.some((type) => matches(type, event.type))) onEvent(event);
  }
}

/** Tells everybody to read again. */
export function notifyGap(): void {
  for (const onGap of gapListeners) onGap();
}

function matches(asked: string, type: string): boolean {
  return asked.endsWith("*") ? type.startsWith(asked.slice(0, -1)) : asked === type;
}
