import { createStore } from "../store.ts";

/** Whether what the page shows is what is. */
export type LiveStatus = {
  state: "connecting" | "live" | "reconnecting";
  /** When the server was last heard, in milliseconds since 1970. */
  heardAt: number;
};

/** How the page's event stream stands. */
export const liveStatus = createStore<LiveStatus>({ state: "connecting", heardAt: Date.now() });

/** When events were last found to be missing; null for never. */
export const lastGap = createStore<number | null>(null);

/** The server has said something. */
export function noteHeard(): void {
  liveStatus.set({ ...liveStatus.get(), heardAt: Date.now() });
}

/** The stream is open and tells what happens from here on. */
export function noteOpened(): void {
  liveStatus.set({ state: "live", heardAt: Date.now() });
}

/** The stream is cut. */
export function noteClosed(): void {
  const { state, heardAt } = liveStatus.get();
  liveStatus.set({ state: state === "live" ? "reconnecting" : state, heardAt });
}
