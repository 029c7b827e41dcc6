import { createHash } from "node:crypto";
import { toTraceUuid } from "./trace-ids.ts";

/** A UUID that is the same for the same text. */
export function hashId(text: string): string {
  return toTraceUuid(createHash("sha256").update(text).digest("hex").slice(0, 32));
}
