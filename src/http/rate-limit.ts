import type { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** The result of counting a request, with the RateLimit headers. */
export type Allowance = { allowed: boolean; headers: Record<string, string> };

/** Counts requests against each caller's allowance of this second. */
export type RateLimit = {
  /** Counts a request, or its cost in requests, before it runs. */
  (key: string, requests?: number): Promise<Allowance>;
  /** Counts the bytes of an answer. What exceeds this second's allowance is taken from the next ones. */
  chargeBytes: (key: string, bytes: number) => void;
};

/** This many bytes of an answer count as one more request. */
export const BYTES_PER_REQUEST = 65_536;

/**
 * Limits the requests per second of each caller on this node.
 *
 * @param perSecond 0 means no limit.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function createRateLimit(perSecond: number): RateLimit {
  if (perSecond === 0) return withoutLimit;
  let opened: Promise<RateLimiterMemory> | null = null;

  async function consume(key: string, requests = 1): Promise<Allowance> {
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
  }

  async function charge(key: string, requests: number): Promise<void> {
    opened ??= openLimiter(perSecond);
    const limiter = await opened;
    const { consumedPoints, msBeforeNext } = await limiter.penalty(key, requests);
    const excess = Math.min(requests, consumedPoints - perSecond);
    if (excess > 0) await limiter.set(key, consumedPoints, msBeforeNext / 1000 + excess / perSecond);
  }

  function chargeBytes(key: string, bytes: number): void {
    const requests = Math.floor(bytes / BYTES_PER_REQUEST);
    // Only loading the library can fail, and then no request is counted.
    if (requests > 0) charge(key, requests).catch(() => {});
  }

  return Object.assign(consume, { chargeBytes });
}

const withoutLimit: RateLimit = Object.assign(async () => ({ allowed: true, headers: {} }), {
  chargeBytes: () => {},
});

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
