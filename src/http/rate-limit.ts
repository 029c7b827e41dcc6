import type { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** The result of counting a request, with the RateLimit headers. */
export type Allowance = { allowed: boolean; headers: Record<string, string> };

/** Counts a request, or its cost in requests, against the caller's allowance of this second. */
export type RateLimit = (key: string, requests?: number) => Promise<Allowance>;

/**
 * Limits the requests per second of each caller on this node.
 *
 * @param perSecond 0 means no limit.
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
      // Above the limit, the library rejects with the caller's count.
      return toAllowance(perSecond, exceeded as RateLimiterRes, false);
    }
  };
}

/** Loaded with the first request: the command line needs none. */
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
