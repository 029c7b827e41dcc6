/** What requests are made with, as long as it lasts. */
export type Credential = {
  /** The bearer to send. */
  token: () => Promise<string>;
  /** Gets another one where that is possible. @returns whether there is another. */
  renew: () => Promise<boolean>;
};

/** Gets a token and tells when it ends. */
export type Mint = () => Promise<{ token: string; expiresAt: Date }>;

/** A bearer that is given: an API key, or an access token that somebody else renews. */
export function fixedCredential(token: string): Credential {
  return { token: async () => token, renew: async () => false };
}

/** A bearer that is minted when it is first needed, and again when most of its life is over. */
export function mintedCredential(mint: Mint): Credential {
  let current: { token: string; renewAtMs: number } | null = null;
  let minting: Promise<string> | null = null;

  async function again(): Promise<string> {
    try {
      const { token, expiresAt } = await mint();
      const lifeMs = expiresAt.getTime() - Date.now();
      current = { token, renewAtMs: Date.now() + lifeMs * 0.8 };
      return token;
    } finally {
      minting = null;
    }
  }

  return {
    token: async () => {
      if (current !== null && Date.now() < current.renewAtMs) return current.token;
      return (minting ??= again());
    },
    renew: async () => {
      current = null;
      await (minting ??= again());
      return true;
    },
  };
}
