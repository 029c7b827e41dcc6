/** An error as agents, robots and the service write it: a code or type, a sentence, and what else they knew. */
export type Failure = { code: string | null; message: string | null; rest: unknown };

/** Takes an error apart. `rest` is null where code and message were all, and whether to try again. */
export function failureOf(error: unknown): Failure {
  if (typeof error !== "object" || error === null) return { code: null, message: null, rest: error };
  // What the line above holds to be an object is read by names.
  const { code, type, message, detail, retryable: _retryable, ...rest } = error as Record<string, unknown>;
  const known = Object.entries(rest).filter(([, value]) => value !== null);
  return {
    code: textOf(code) ?? textOf(type),
    message: textOf(message) ?? textOf(detail),
    rest: known.length === 0 ? null : Object.fromEntries(known),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
