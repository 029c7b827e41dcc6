/** An error as agents and the service write it: a code, a sentence, and what else they knew. */
export type Failure = { code: string | null; message: string | null; rest: unknown };

/** Takes an error apart. `rest` is null where code and message were all, and whether to try again. */
export function failureOf(error: unknown): Failure {
  if (typeof error !== "object" || error === null) return { code: null, message: null, rest: error };
  // What the line above holds to be an object is read by names.
  const { code, message, retryable: _retryable, ...rest } = error as Record<string, unknown>;
  return {
    code: typeof code === "string" ? code : null,
    message: typeof message === "string" ? message : null,
    rest: Object.keys(rest).length === 0 ? null : rest,
  };
}
