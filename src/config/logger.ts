import { type DestinationStream, type Logger, pino } from "pino";

/**
 * Creates a logger that writes one line of JSON per entry. Errors are reduced to kind, message, code and
 * stack: other properties that libraries add may contain data or secrets.
 *
 * @param stream default: standard output.
 */
export function createLogger(level: string, stream?: DestinationStream): Logger {
  const options = { level, base: null, serializers: { err: serializeError } };
  return stream === undefined ? pino(options) : pino(options, stream);
}

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    ...("code" in error && { code: error.code }),
    stack,
    ...(cause !== undefined && { cause: serializeError(cause) }),
  };
}
