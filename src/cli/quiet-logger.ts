import type { Logger } from "pino";
import { createLogger } from "../config/logger.ts";
import type { Terminal } from "./terminal.ts";

/** Logs warnings to standard error, without stack traces. */
export function quietLogger({ stderr }: Terminal): Logger {
  return createLogger("warn", { write: stderr }).child({}, { serializers: { err: String } });
}
