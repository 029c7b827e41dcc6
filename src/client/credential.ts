import { untilAborted } from "./wait.ts";

/** What requests are made with, as long as it lasts. */
export type Credential = {
  /** The bearer to send. */
  token: (signal?: AbortSignal) => Promise<string>;
  /** Gets another one than that which was refused, where that is possible. @returns whether there is another. */
  renew: (refused: string, signal?: AbortSignal) => Promise<boolean>;
};

/** Gets a token and tells when it ends. */
export type Mint = (signal: AbortSignal) => Promise<{ token: string; expiresAt: Date }>;

/** A bearer that is given: an API key, or an access token that somebody else renews. */
export function fixedCredential(token: string): Credential {
  return { token: async () => token, renew: async () => false };
}

/** A mint under way, which all who need a token share; it is given up when nobody waits for it any more. */
type Minting = { token: Promise<string>; waiting: number; over: AbortController };

/** A bearer that is minted when it is first needed, and again when most of its life is over. */
export function mintedCredential(mint: Mint): Credential {
  let current: { token: string; renewAtMs: number } | null = null;
  let minting: Minting | null = null;

  async function mintOnce(signal: AbortSignal): Promise<string> {
    const { token, expiresAt } = await mint(signal);
    const lifeMs = expiresAt.getTime() - Date.now();
    current = { token, renewAtMs: Date.now() + lifeMs * 0.8 };
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
      return await untilAborted(shared.token, signal);
    } finally {
      shared.waiting--;
      if (shared.waiting === 0) shared.over.abort();
      if (shared.waiting === 0 && minting === shared) minting = null;
    }
  }

  return {
    token: async (signal) => {
      if (current !== null && Date.now() < current.renewAtMs) return current.token;
      return minted(signal);
    },
    renew: async (refused, signal) => {
      // Whoever sent it too may have renewed it before.
      if (current?.token === refused) current = null;
      if (current === null) await minted(signal);
      return true;
    },
  };
}
