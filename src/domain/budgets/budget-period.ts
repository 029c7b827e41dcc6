import type { BudgetPeriod } from "../../db/generated/enums.ts";

/** A period of a budget: from `start` up to, but not including, `end`. Null for one that never ends. */
export type Period = { start: Date; end: Date | null };

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The period of a budget that never starts anew. */
const TOTAL: Period = { start: new Date(0), end: null };

/**
 * Finds the calendar period in which an instant is. Days and months begin at the time zone's midnight, so a day may
 * have 23 or 25 hours.
 *
 * @param timeZone an IANA name that {@link findTimeZone} knows.
 */
export function findPeriod(period: BudgetPeriod, timeZone: string, at: Date): Period {
  switch (period) {
    case "minute":
      return floorTo(MINUTE_MS, at, 0);
    case "hour":
      // Some zones are half an hour off.
      return floorTo(HOUR_MS, at, getOffset(timeZone, at.getTime()));
    case "day": {
      const { year, month, day } = getLocalDay(timeZone, at.getTime());
      return {
        start: startOfDay(timeZone, [year, month, day]),
        end: startOfDay(timeZone, [year, month, day + 1]),
      };
    }
    case "month": {
      const { year, month } = getLocalDay(timeZone, at.getTime());
      return {
        start: startOfDay(timeZone, [year, month, 1]),
        end: startOfDay(timeZone, [year, month + 1, 1]),
      };
    }
    case "total":
      return TOTAL;
  }
}

/** Returns the usual spelling of a time zone's name; null if there is no such zone. */
export function findTimeZone(name: string): string | null {
  // Offsets such as +01:00 have no daylight saving time, and newer versions of Node alone know them.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

function floorTo(lengthMs: number, at: Date, offsetMs: number): Period {
  const startMs = Math.floor((at.getTime() + offsetMs) / lengthMs) * lengthMs - offsetMs;
  return { start: new Date(startMs), end: new Date(startMs + lengthMs) };
}

/**
 * Finds the first instant of a local day. Where clocks change at midnight, it may be 1:00, or the first of two
 * midnights.
 *
 * @param date year, month from 1, and day. Days beyond a month's end are of the next one.
 */
function startOfDay(timeZone: string, date: [number, number, number]): Date {
  const [year, month, day] = date;
  const midnightMs = Date.UTC(year, month - 1, day);
  const candidates = [midnightMs - DAY_MS, midnightMs + DAY_MS].map(
    (aroundMs) => midnightMs - getOffset(timeZone, aroundMs),
  );
  const started = candidates.filter((ms) => ms + getOffset(timeZone, ms) >= midnightMs);
  return new Date(Math.min(...(started.length > 0 ? started : candidates)));
}

/** By how much local time is ahead of UTC, in milliseconds. */
function getOffset(timeZone: string, atMs: number): number {
  if (timeZone === "UTC") return 0;
  const { year, month, day, hour, minute, second } = getLocalTime(timeZone, atMs);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}

function getLocalDay(timeZone: string, atMs: number): { year: number; month: number; day: number } {
  const local = new Date(atMs + getOffset(timeZone, atMs));
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
}

type LocalTime = Record<"year" | "month" | "day" | "hour" | "minute" | "second", number>;

function getLocalTime(timeZone: string, atMs: number): LocalTime {
  const parts = getFormat(timeZone).formatToParts(atMs);
  function read(type: keyof LocalTime): number {
    return Number(parts.find((part) => part.type === type)?.value);
  }
  return {
    year: read("year"),
    month: read("month"),
    day: read("day"),
    hour: read("hour"),
    minute: read("minute"),
    second: read("second"),
  };
}

/** There are at most a few hundred time zones. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();

function getFormat(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  FORMATS.set(timeZone, format);
  return format;
}
