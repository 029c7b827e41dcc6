import { createStore } from "./store.ts";

/** Why nothing can be asked any more. */
export type SessionEnd = "logged-out" | "suspended";

/** Null while the session lives. */
export const sessionEnd = createStore<SessionEnd | null>(null);

/** Where to log in again and come back to this very view. */
export function logInAddress(): string {
  const here = window.location.pathname + window.location.search;
  return here === "/" ? "/users/log-in" : `/users/log-in?return_to=${encodeURIComponent(here)}`;
}
