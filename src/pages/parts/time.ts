import { type Html, html } from "../html.ts";

const WHOLE = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** A time with minutes. */
export function time(iso: string): Html {
  return html`<time datetime="${iso}">${formatTime(iso)}</time>`;
}

/** A relative time, or the date after a month. */
export function timeAgo(iso: string | null, now: Date): Html {
  if (iso === null) return html`<span class="soft">Never</span>`;
  const seconds = Math.round((now.getTime() - new Date(iso).getTime()) / 1000);
  if (seconds > 30 * 86_400) return time(iso);
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ["minute", 60];
  const text = seconds < 60 ? "Just now" : RELATIVE.format(-Math.floor(seconds / size), unit);
  return html`<time datetime="${iso}" title="${formatTime(iso)}">${text}</time>`;
}

function formatTime(iso: string): string {
  return `${WHOLE.format(new Date(iso))} UTC`;
}
