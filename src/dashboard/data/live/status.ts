import { createStore } from "../store.ts";

/** Whether the page's data is current. */
export type LiveStatus = {
  state: "connecting" | "live" | "reconnecting";
  /** When the server last sent something, in milliseconds since 1970. */
  lastMessageAt: number;
};

/** The state of the event stream. */
export const liveStatus = createStore<LiveStatus>({ state: "connecting", lastMessageAt: Date.now() });

/** When events were last missed, in milliseconds since 1970, or null. */
export const lastGap = createStore<number | null>(null);

/** Records that the server has sent something. */
export function noteHeard(): void {
  liveStatus.set({ ...liveStatus.get(), lastMessageAt: Date.now() });
}

/** Records that the stream is open. */
export function noteOpened(): void {
  liveStatus.set({ state: "live", lastMessageAt: Date.now() });
}

/** Records that the stream is closed. */
export function noteClosed(): void {
  const { state, lastMessageAt } = liveStatus.get();
  liveStatus.set({ state: state === "live" ? "reconnecting" : state, lastMessageAt });
}
