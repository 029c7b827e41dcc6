import { z } from "zod";

/** 16 bytes in hex. */
export const TRACE_ID = /^[0-9a-f]{32}$/i;

/** A trace id as 32 hexadecimal digits, converted to the UUID that it is stored as. */
export const traceId = z.string().regex(TRACE_ID, "must be 32 hexadecimal digits").transform(toTraceUuid);

/** A span id, in lower case. */
export const spanId = z
  .string()
  .regex(/^[0-9a-f]{16}$/i, "must be 16 hexadecimal digits")
  .transform((id) => id.toLowerCase());

/** Whether it is 16 bytes in hex, not all of them zero. */
export function isTraceId(id: string): boolean {
  return TRACE_ID.test(id) && !/^0+$/.test(id);
}

/** Whether it is 8 bytes in hex, not all of them zero. */
export function isSpanId(id: string): boolean {
  return /^(?!0+$)[0-9a-f]{16}$/i.test(id);
}

/** Converts 32 hexadecimal digits to a UUID. */
export function toTraceUuid(id: string): string {
  const hex = id.toLowerCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Converts the UUID of a trace to its id of 32 hexadecimal digits. */
export function toTraceId(uuid: string): string {
  return uuid.replaceAll("-", "");
}
