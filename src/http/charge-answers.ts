import type { Context, MiddlewareHandler } from "hono";
import type { RateLimit } from "./rate-limit.ts";
import type { AuthenticatedCaller, HttpEnv } from "./request.ts";

type Charging = Pick<RateLimit, "chargeBytes"> & {
  /** Returns the key under which the caller's requests are counted. */
  getKey: (caller: AuthenticatedCaller) => string;
  /** Returns how many bytes were read for the answer and are not charged yet. */
  takeReadBytes: (caller: AuthenticatedCaller) => number;
};

/**
 * Charges the size of each answer, or of what was read for it, to its caller's rate limit, when it has been written or
 * was cut off.
 */
export function chargeAnswers(charging: Charging): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    const caller = c.get("ctx");
    if (caller !== undefined) await chargeAnswer(c, caller, charging);
  };
}

async function chargeAnswer(
  c: Context<HttpEnv>,
  caller: AuthenticatedCaller,
  { chargeBytes, getKey, takeReadBytes }: Charging,
): Promise<void> {
  const key = getKey(caller);
  function charge(bytes: number): void {
    chargeBytes(key, Math.max(bytes, takeReadBytes(caller)));
  }
  const unsentBytes = c.req.method === "HEAD" ? await countFirstBytes(c.res) : (c.get("unsentBytes") ?? 0);
  if (unsentBytes > 0) return charge(unsentBytes);
  const { incoming, outgoing } = c.env;
  const { socket } = incoming;
  // The previous answer of the connection was written before this request started.
  const before = socket.bytesWritten;
  let isCharged = false;
  function chargeWritten(): void {
    if (isCharged) return;
    isCharged = true;
    charge(socket.bytesWritten - before);
  }
  // All bytes were given to the connection, or it was closed.
  outgoing.once("prefinish", chargeWritten);
  outgoing.once("close", chargeWritten);
}

/** Counts what was rendered for an answer whose body isn't sent: all of it, or the first page of a stream. */
async function countFirstBytes({ body }: Response): Promise<number> {
  if (body === null) return 0;
  const reader = body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return value?.byteLength ?? 0;
}
