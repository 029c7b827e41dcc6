import { type DestinationStream, type Logger, pino } from "pino";

/**
 * Makes the logger: one line of JSON an entry. Of an error it writes the kind, the message, the code and
 * where it was thrown; what libraries hang on their errors besides may hold data or secrets.
 *
 * @param stream standard output where it is left out.
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
