const SHORT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** Formats a time as a field for a local time holds it, such as "2026-11-28T08:00". */
export function toFieldTime(at: string | number): string {
  const date = new Date(at);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, "2026-11-28T08:00".length);
}

/** Formats what a field for a local time holds, such as "2026-11-28T08:00". "" if it holds no time. */
export function formatLocalTime(typed: string): string {
  const time = Date.parse(typed);
  return Number.isNaN(time) ? "" : SHORT.format(time);
}
