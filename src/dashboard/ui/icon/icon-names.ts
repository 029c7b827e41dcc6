/** The icons that the dashboard has, by their names at https://lucide.dev/icons. The build takes them from the set. */
export const ICON_NAMES = [
  "bell-ring",
  "bot",
  "coins",
  "columns-3",
  "copy",
  "download",
  "flask-conical",
  "house",
  "list-checks",
  "list-filter",
  "messages-square",
  "octagon-x",
  "play",
  "plug",
  "route",
  "scale",
  "scroll-text",
  "search",
  "server",
  "stamp",
  "terminal",
  "truck",
  "wallet",
  "waypoints",
] as const;

export type IconName = (typeof ICON_NAMES)[number];
