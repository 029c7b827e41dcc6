import { countAddedDigits } from "../kernel/input.ts";
import { SPAN_LIMITS, cutMiddle, toStorable, truncate } from "./span-limits.ts";
import type { Json } from "./telemetry.ts";

/** A value within the limits, its characters as JSON, and whether something was left out. */
export type LimitedValue = { value: Json; size: number; isCut: boolean };

type Measure = { size: number };

/**
 * Makes a value storable and limits its length: what is longer becomes text with its middle left out.
 *
 * @param given at most as deep as `SPAN_LIMITS.depth`.
 */
export function limitValue(given: Json): LimitedValue {
  const measure: Measure = { size: 0 };
  const value = limit(given, measure);
  if (measure.size <= SPAN_LIMITS.valueLength) return { value, size: measure.size, isCut: false };
  const text = cutMiddle(typeof value === "string" ? value : JSON.stringify(value));
  return { value: text, size: text.length, isCut: true };
}

function limit(value: Json, measure: Measure): Json {
  if (typeof value === "string") return limitText(value, measure);
  measure.size += 4;
  if (typeof value === "number") return limitNumber(value, measure);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => limit(element, measure));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const key = truncate(name, SPAN_LIMITS.keyLength);
      measure.size += key.length + 4;
      return [key, limit(member, measure)];
    }),
  );
}

/** Counts a number as PostgreSQL writes it. */
function limitNumber(number: number, measure: Measure): Json {
  measure.size += String(number).length + countAddedDigits(number);
  return Number.isFinite(number) ? number : String(number);
}

/** Text within a larger value is cut with that value. */
function limitText(text: string, measure: Measure): string {
  const storable = toStorable(text);
  measure.size += storable.length;
  return storable;
}
