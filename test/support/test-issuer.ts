import { type JWK, SignJWT, exportJWK, generateKeyPair } from "jose";
import { type UpstreamServer, startUpstreamServer } from "./upstream-server.ts";

type Key = { kid: string; privateKey: CryptoKey; jwk: JWK };

/** An issuer of JSON Web Tokens with a discovery document, on loopback. */
export type TestIssuer = {
  url: string;
  /** How often its keys were asked for. */
  asked: () => number;
  /** The public keys, as JSON. */
  jwks: () => string;
  /** Signs a token that is valid for five minutes. Claims replace the usual ones; undefined leaves one out. */
  sign: (claims?: Record<string, unknown>, header?: { kid?: string; alg?: string }) => Promise<string>;
  /** Replaces the keys by one with another id. */
  rotate: () => Promise<void>;
  /** Answers all requests with this from now on; null for its own answers. */
  answer: (body: string | null, status?: number) => void;
  /** The issuer in the discovery document; its own at first. */
  claimToBe: (issuer: string) => void;
  close: () => Promise<void>;
};

export const AUDIENCE = "https://ops.example.com";
export const SUBJECT = "repo:acme/shop:ref:refs/heads/main";

/** Starts an issuer. */
export async function startIssuer(alg = "RS256"): Promise<TestIssuer> {
  let key = await createKey(alg);
  let asked = 0;
  let fixed: { body: string; status: number } | null = null;
  const server: UpstreamServer = await startUpstreamServer((request, response) => {
    if (request.url === "/jwks") asked++;
    const body =
      request.url === "/jwks" ? jwks() : JSON.stringify({ issuer, jwks_uri: `${server.url}/jwks` });
    response.writeHead(fixed?.status ?? 200, { "content-type": "application/json" });
    response.end(fixed?.body ?? body);
  });
  let issuer = server.url;

  function jwks(): string {
    return JSON.stringify({ keys: [key.jwk] });
  }

  return {
    url: server.url,
    asked: () => asked,
    jwks,
    sign: async (claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: server.url, aud: AUDIENCE, sub: SUBJECT, jti: crypto.randomUUID() };
      return new SignJWT({ ...usual, iat: now, exp: now + 300, ...claims })
        .setProtectedHeader({ alg, kid: key.kid, ...header })
        .sign(key.privateKey);
    },
    rotate: async () => {
      key = await createKey(alg);
    },
    answer: (body, status = 200) => {
      fixed = body === null ? null : { body, status };
    },
    claimToBe: (name) => {
      issuer = name;
    },
    close: server.close,
  };
}

async function createKey(alg: string): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const kid = crypto.randomUUID();
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}
