import { createHash } from "node:crypto";
import type { DialectName } from "./dialects/dialect.ts";

/**
 * Returns the id of the trace of what a session's logs say without naming a trace, in hex. It is the same however often
 * and by whom it is sent.
 */
export function toSessionTraceId(workspaceId: string, dialect: DialectName, session: string): string {
  return digest(["session", workspaceId, dialect, session]).slice(0, 32);
}

/** A hash of texts and numbers, in hex. */
export function digest(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
