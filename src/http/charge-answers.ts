import type { MiddlewareHandler } from "hono";
import type { RateLimit } from "./rate-limit.ts";
import type { AuthenticatedCaller, HttpEnv } from "./request.ts";

/**
 * Charges the size of each answer to its caller's rate limit, when it has been written or was cut off.
 *
 * @param getKey the key under which the caller's requests are counted.
 */
export function chargeAnswers(
  { chargeBytes }: Pick<RateLimit, "chargeBytes">,
  getKey: (caller: AuthenticatedCaller) => string,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    const caller = c.get("ctx");
    if (caller === undefined) return;
    const key = getKey(caller);
    const unsentBytes = c.req.method === "HEAD" ? await countFirstBytes(c.res) : (c.get("unsentBytes") ?? 0);
    if (unsentBytes > 0) return chargeBytes(key, unsentBytes);
    const { incoming, outgoing } = c.env;
    const { socket } = incoming;
    // The previous answer of the connection was written before this request started.
    const before = socket.bytesWritten;
    let isCharged = false;
    function charge(): void {
      if (isCharged) return;
      isCharged = true;
      chargeBytes(key, socket.bytesWritten - before);
    }
    // All bytes were given to the connection, or it was closed.
    outgoing.once("prefinish", charge);
    outgoing.once("close", charge);
  };
}

/** Counts what was rendered for an answer whose body isn't sent: all of it, or the first page of a stream. */
async function countFirstBytes({ body }: Response): Promise<number> {
  if (body === null) return 0;
  const reader = body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return value?.byteLength ?? 0;
}
