import { ApiError } from "./api-error.ts";
import { waitUnlessAborted } from "./wait.ts";

/** The bearer token for requests. */
export type BearerSource = {
  /** Returns a valid token, minting one if needed. */
  token: (signal?: AbortSignal) => Promise<string>;
  /** Discards a rejected token. @returns whether another one can be obtained. */
  drop: (refused: string) => boolean;
  /** Revokes the minted token. A later request mints a new one. */
  end: () => Promise<void>;
};

/** Mints a token and returns its lifetime. */
export type Mint = (signal: AbortSignal) => Promise<{ token: string; lifeMs: number }>;

/** A fixed token: an API key, or an access token renewed by somebody else. */
export function createFixedBearer(token: string): BearerSource {
  return { token: async () => token, drop: () => false, end: async () => {} };
}

type Source = { mint: Mint; revoke: (token: string) => Promise<void> };

/** A mint in progress, shared by all waiting requests. Aborted when none is waiting any more. */
type Minting = { token: Promise<string>; waiting: number; over: AbortController };

/** Times are from the monotonic clock, because the system clock may be wrong or adjusted. */
type Minted = { token: string; renewAtMs: number; endsAtMs: number };

/** The fraction of a token's lifetime after which a new one is minted. */
const MOST = 0.8;

/**
 * A token minted on first use, and renewed when most of its lifetime is over. If renewal fails, the old token is used
 * until it expires.
 */
export function createMintedBearer({ mint, revoke }: Source): BearerSource {
  let current: Minted | null = null;
  let minting: Minting | null = null;

  async function mintOnce(signal: AbortSignal): Promise<string> {
    const { token, lifeMs } = await mint(signal);
    const nowMs = performance.now();
    current = { token, renewAtMs: nowMs + lifeMs * MOST, endsAtMs: nowMs + lifeMs };
    return token;
  }

  function begin(): Minting {
    const over = new AbortController();
    return { token: mintOnce(over.signal), waiting: 0, over };
  }

  async function minted(signal?: AbortSignal): Promise<string> {
    const shared = (minting ??= begin());
    shared.waiting++;
    try {
      return await waitUnlessAborted(shared.token, signal);
    } finally {
      shared.waiting--;
      if (shared.waiting === 0) shared.over.abort();
      if (shared.waiting === 0 && minting === shared) minting = null;
    }
  }

  return {
    token: async (signal) => {
      const held = current;
      if (held === null) return minted(signal);
      if (performance.now() < held.renewAtMs) return held.token;
      return minted(signal).catch((error: unknown) => keepToken(held, error));
    },
    drop: (refused) => {
      // Another request with this token may already have replaced it.
      if (current?.token === refused) current = null;
      return true;
    },
    end: async () => {
      const held = current;
      current = null;
      if (held !== null) await revoke(held.token);
    },
  };
}

/** Keeps using the old token after renewal was rejected. @throws the rejection if the old token has expired. */
function keepToken(held: Minted, rejection: unknown): string {
  const leftMs = held.endsAtMs - performance.now();
  if (leftMs <= 0 || !(rejection instanceof ApiError)) throw rejection;
  held.renewAtMs = held.endsAtMs - leftMs * (1 - MOST);
  return held.token;
}
