/** A server's answer, or why there is none. */
export type Reached = { status: number; body: string } | { problem: string };

const TIMEOUT_MS = 5000;
const BODY_CHARACTERS = 10_000;

/** Asks a server once. Redirects are answers like any other. */
export async function request(
  url: string,
  { headers, signal }: { headers?: Record<string, string>; signal: AbortSignal },
): Promise<Reached> {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(url, { redirect: "manual", signal: within, ...(headers && { headers }) });
    return { status: response.status, body: (await response.text()).slice(0, BODY_CHARACTERS) };
  } catch (error) {
    return { problem: describe(error) };
  }
}

/** fetch hides the reason in the cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message, name } = error;
  if (name === "TimeoutError") return `no answer within ${TIMEOUT_MS / 1000} s`;
  if (!(cause instanceof Error)) return message;
  return cause.message === "" && "code" in cause ? String(cause.code) : cause.message;
}
