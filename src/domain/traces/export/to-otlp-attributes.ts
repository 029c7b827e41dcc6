import type { Json } from "../telemetry.ts";

/** A list of attributes as OTLP's JSON has it. */
export type OtlpAttributes = readonly { key: string; value?: OtlpValue }[];

/** Empty for null. 64-bit integers are texts. */
type OtlpValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: OtlpValue[] } }
  | { kvlistValue: { values: OtlpAttributes } }
  | Record<string, never>;

/** Writes stored attributes as they are sent. */
export function toOtlpAttributes(stored: { readonly [name: string]: Json }): OtlpAttributes {
  return Object.entries(stored).map(([key, value]) =>
    value === null ? { key } : { key, value: toValue(value) },
  );
}

function toValue(value: Json): OtlpValue {
  if (value === null) return {};
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toValue) } };
  return { kvlistValue: { values: toOtlpAttributes(value) } };
}
