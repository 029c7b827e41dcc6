import { ApiError } from "./api-error.ts";
import { waitUnlessAborted } from "./wait.ts";

/** What requests are made with, as long as it lasts. */
export type BearerSource = {
  /** The bearer to send. */
  token: (signal?: AbortSignal) => Promise<string>;
  /** Gives up one that was refused. @returns whether there is another to be had. */
  drop: (refused: string) => boolean;
  /** Ends what was minted. Another is minted where one is needed after all. */
  end: () => Promise<void>;
};

/** Gets a token and tells how long it lasts. */
export type Mint = (signal: AbortSignal) => Promise<{ token: string; lifeMs: number }>;

/** A bearer that is given: an API key, or an access token that somebody else renews. */
export function createFixedBearer(token: string): BearerSource {
  return { token: async () => token, drop: () => false, end: async () => {} };
}

/** How tokens come, and go. */
type Source = { mint: Mint; revoke: (token: string) => Promise<void> };

/** A mint under way, which all who need a token share; it is given up when nobody waits for it any more. */
type Minting = { token: Promise<string>; waiting: number; over: AbortController };

/** By the time since the process began: the machine's clock may be wrong, and may be put right. */
type Minted = { token: string; renewAtMs: number; endsAtMs: number };

/** The part of a token's life, or of what is left of it, after which another is minted. */
const MOST = 0.8;

/**
 * A bearer that is minted when it is first needed, and again when most of its life is over. Where the service
 * refuses that, the old one does until its end.
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
      // Whoever sent it too may have another one by now.
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

/** Goes on with a token where another was refused. @throws the refusal where the token's life is over. */
function keepToken(held: Minted, rejection: unknown): string {
  const leftMs = held.endsAtMs - performance.now();
  if (leftMs <= 0 || !(rejection instanceof ApiError)) throw rejection;
  held.renewAtMs = held.endsAtMs - leftMs * (1 - MOST);
  return held.token;
}
