import type { Option } from "../../ui/form/select-field.tsx";

/** How far back the view looks. */
export type WindowName = keyof typeof WINDOWS;

const MINUTE = 60;

/** By their names in the address. A chart has about as many steps as it has room for. */
export const WINDOWS = {
  hour: { label: "the last hour", asked: "LAST_HOUR", stepSeconds: MINUTE, steps: 60 },
  day: { label: "the last day", asked: "LAST_DAY", stepSeconds: 30 * MINUTE, steps: 48 },
  week: { label: "the last week", asked: "LAST_WEEK", stepSeconds: 180 * MINUTE, steps: 56 },
} as const;

/** The windows to choose from. */
export const WINDOW_OPTIONS: readonly Option[] = Object.entries(WINDOWS).map(([name, { label }]) => [
  name,
  label,
]);

/** The window that an address names; the hour where it names none of them. */
export function parseWindowName(name: string): WindowName {
  return name === "day" || name === "week" ? name : "hour";
}
