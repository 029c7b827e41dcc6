/** The stylesheet of the theme that a person chose. */
export const THEME_PATH = "/assets/theme.css";

/** Names the theme: "light" or "dark". Without it, pages follow the system. The dashboard's menu sets it. */
export const THEME_COOKIE = "theme";

/** The rule for a theme. Empty if the page follows the system. */
export function renderTheme(theme: string | undefined): string {
  return theme === "light" || theme === "dark" ? `html:root { color-scheme: ${theme} }\n` : "";
}
