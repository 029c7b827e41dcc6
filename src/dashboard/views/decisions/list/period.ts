import { parseWindowName, WINDOW_OPTIONS, WINDOWS, type WindowName } from "../../../ui/chart/windows.ts";
import type { Option } from "../../../ui/form/select-field.tsx";

/** A period in the URL: any time (""), a window up to now, or all since an instant. */
export type Period = { kind: "any" } | { kind: "window"; window: WindowName } | { kind: "since"; at: string };

const AT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** Parses a period. What is none is any time. */
export function parsePeriod(text: string): Period {
  if (Object.hasOwn(WINDOWS, text)) return { kind: "window", window: parseWindowName(text) };
  const at = Date.parse(text);
  return Number.isNaN(at) ? { kind: "any" } : { kind: "since", at: new Date(at).toISOString() };
}

/** The periods to choose from, with the one that a link named. */
export function listPeriods(text: string): readonly Option[] {
  const period = parsePeriod(text);
  const since: Option[] = period.kind === "since" ? [[text, `since ${AT.format(new Date(period.at))}`]] : [];
  return [["", "any time"], ...WINDOW_OPTIONS, ...since];
}

/** The window of a period's chart: the smallest that holds all of it, at most the last week. Default: the last day. */
export function chooseWindow(period: Period, now: number): WindowName {
  if (period.kind === "any") return "day";
  if (period.kind === "window") return period.window;
  const seconds = (now - Date.parse(period.at)) / 1000;
  const names: readonly WindowName[] = ["hour", "day"];
  return names.find((name) => seconds <= WINDOWS[name].stepSeconds * WINDOWS[name].steps) ?? "week";
}
