import { useSyncExternalStore } from "react";
import { useStore } from "../../data/store.ts";
import { createPreference } from "./preference.ts";

/** Dark, light, or as the system is. The server-rendered pages obey the same cookie: /assets/theme.css. */
export const theme = createPreference("theme", ["system", "light", "dark"], (value) => {
  document.documentElement.style.colorScheme = value === "system" ? "light dark" : value;
});

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is dark at the moment. */
export function useIsDark(): boolean {
  const chosen = useStore(theme.chosen);
  const isSystemDark = useSyncExternalStore(watchSystem, () => dark.matches);
  return chosen === "system" ? isSystemDark : chosen === "dark";
}

function watchSystem(look: () => void): () => void {
  dark.addEventListener("change", look);
  return () => dark.removeEventListener("change", look);
}
