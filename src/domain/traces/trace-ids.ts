import { z } from "zod";

/** A trace id as 32 hexadecimal digits, converted to the UUID that it is stored as. */
export const traceId = z
  .string()
  .regex(/^[0-9a-f]{32}$/i, "must be 32 hexadecimal digits")
  .transform(toTraceUuid);

/** A span id, in lower case. */
export const spanId = z
  .string()
  .regex(/^[0-9a-f]{16}$/i, "must be 16 hexadecimal digits")
  .transform((id) => id.toLowerCase());

/** Converts 32 hexadecimal digits to a UUID. */
export function toTraceUuid(id: string): string {
  const hex = id.toLowerCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Converts the UUID of a trace to its id of 32 hexadecimal digits. */
export function toTraceId(uuid: string): string {
  return uuid.replaceAll("-", "");
}
