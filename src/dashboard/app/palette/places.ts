import type { ViewerRole } from "../../data/viewer.tsx";
import { theme } from "../../ui/look/theme.ts";
import { VIEWS } from "../views.ts";
import { openShortcuts } from "../shortcuts/shortcuts.ts";
import type { PaletteEntry } from "./entries.ts";
import { type Place, SETTINGS } from "./settings-pages.ts";

const HELP: PaletteEntry = {
  key: "shortcuts",
  label: "Keyboard shortcuts",
  kind: "Help",
  keys: "?",
  to: openShortcuts,
};

const THEMES: readonly PaletteEntry[] = theme.options.map((option) => ({
  key: `theme-${option}`,
  label: `Theme: ${option}`,
  kind: "Action",
  to: () => theme.choose(option),
}));

const FORMS: readonly Place[] = [
  ["/tasks/new", "New task", "OPERATOR"],
  ["/missions/new", "New mission", "OPERATOR"],
  ["/commands/new", "New command", "OPERATOR"],
  ["/policies/new", "New policy", "ADMIN"],
  ["/budgets/new", "New budget", "ADMIN"],
  ["/alerts/new", "New alert rule", "ADMIN"],
  ["/mcp-servers/new", "New MCP server", "ADMIN"],
];

/** The views, settings and forms that a user may open. */
export function listPlaces(isAtLeast: (role: ViewerRole) => boolean): PaletteEntry[] {
  const views = VIEWS.map(({ path, label, letter }) => {
    const keys = letter === null ? undefined : `g ${letter}`;
    return { key: path, label, kind: "View", keys, to: path };
  });
  return [...views, ...toEntries(FORMS, "Action"), ...toEntries(SETTINGS, "Settings", true), HELP, ...THEMES];

  function toEntries(places: readonly Place[], kind: string, isPage = false): PaletteEntry[] {
    return places
      .filter(([, , role]) => isAtLeast(role))
      .map(([path, label]) => ({ key: path, label, kind, to: path, isPage }));
  }
}
