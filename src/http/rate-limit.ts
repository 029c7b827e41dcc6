import type { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** What a caller has left in this second. */
export type Allowance = { allowed: boolean; headers: Record<string, string> };

/** Counts one request of a caller, or as many as it is worth; at most what is left of a whole second. */
export type RateLimit = (key: string, requests?: number) => Promise<Allowance>;

/**
 * Allows each caller so many requests a second on this node.
 *
 * @param perSecond 0 allows any number.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function createRateLimit(perSecond: number): RateLimit {
  if (perSecond === 0) return async () => ({ allowed: true, headers: {} });
  let opened: Promise<RateLimiterMemory> | null = null;
  return async (key, requests = 1) => {
    opened ??= openLimiter(perSecond);
    const limiter = await opened;
    try {
      return toAllowance(
        perSecond,
        await limiter.consume(key, Math.max(1, Math.min(requests, perSecond - 1))),
        true,
      );
    } catch (exceeded) {
      if (exceeded instanceof Error) throw exceeded;
      // The library rejects with the caller's count where he has none left.
      return toAllowance(perSecond, exceeded as RateLimiterRes, false);
    }
  };
}

/** With the first request: the command line serves none. */
async function openLimiter(perSecond: number): Promise<RateLimiterMemory> {
  const { RateLimiterMemory } = await import("rate-limiter-flexible");
  return new RateLimiterMemory({ points: perSecond, duration: 1 });
}

function toAllowance(perSecond: number, left: RateLimiterRes, allowed: boolean): Allowance {
  const seconds = Math.max(1, Math.ceil(left.msBeforeNext / 1000));
  return {
    allowed,
    headers: {
      "ratelimit-policy": `"default";q=${perSecond};w=1`,
      ratelimit: `"default";r=${left.remainingPoints};t=${seconds}`,
      ...(!allowed && { "retry-after": String(seconds) }),
    },
  };
}
