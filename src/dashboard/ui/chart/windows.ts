import type { Option } from "../form/select-field.tsx";

export type WindowName = keyof typeof WINDOWS;

const MINUTE = 60;

/** By name in the URL. The number of steps fits a chart. */
export const WINDOWS = {
  hour: { label: "the last hour", asked: "LAST_HOUR", stepSeconds: MINUTE, steps: 60 },
  day: { label: "the last day", asked: "LAST_DAY", stepSeconds: 30 * MINUTE, steps: 48 },
  week: { label: "the last week", asked: "LAST_WEEK", stepSeconds: 180 * MINUTE, steps: 56 },
} as const;

export const WINDOW_OPTIONS: readonly Option[] = Object.entries(WINDOWS).map(([name, { label }]) => [
  name,
  label,
]);

/** The window named in the URL. Default: the last hour. */
export function parseWindowName(name: string): WindowName {
  return name === "day" || name === "week" ? name : "hour";
}
