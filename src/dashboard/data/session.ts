import { createStore } from "./store.ts";

/** Why the session ended. */
export type SessionEnd = "logged-out" | "suspended" | "needs-factor";

/** Null while the session is valid. */
export const sessionEnd = createStore<SessionEnd | null>(null);

/** The URL of the log-in page that returns to the current view. */
export function logInAddress(): string {
  const here = window.location.pathname + window.location.search;
  return here === "/" ? "/users/log-in" : `/users/log-in?return_to=${encodeURIComponent(here)}`;
}
