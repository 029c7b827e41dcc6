import { type JWSHeaderParameters, type FlattenedJWSInput, errors } from "jose";
import type { WorkloadTrust } from "../../db/generated/client.ts";
import { createFairMemory } from "../../domain/kernel/fair-memory.ts";
import { isObject } from "../../domain/kernel/is-object.ts";
import { createSharedCapacity } from "../../domain/kernel/shared-capacity.ts";
import { type OutboundFetch, createOutboundFetch } from "../../http/outbound/outbound-fetch.ts";
import type { Outbound } from "../../http/outbound/outbound.ts";
import { type FindKey, JWKS_BYTES, parseJwks } from "./parse-jwks.ts";

/** Where the keys of an issuer are, and of whose share of this node's capacity it is asked and remembered. */
export type KeySource = Pick<WorkloadTrust, "issuer" | "jwksUri" | "jwks"> & { holder: string };

/** The keys of issuers, as one node remembers them. */
export type IssuerKeys = {
  /**
   * Finds the key of a token, by asking the issuer where it isn't known.
   *
   * @throws {IssuerError} if the issuer's keys can't be had; one of jose's errors if it has no such key.
   */
  find: (source: KeySource, header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;
};

/** An issuer's keys can't be had at the moment, or not as it is. The message is for admins. */
export class IssuerError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "IssuerError";
  }
}

type Known = {
  keys: FindKey | null;
  /** When the keys were fetched, and when they were last asked for. */
  fetchedAtMs: number;
  askedAtMs: number;
  /** The size of the answers that the keys are from. */
  bytes: number;
  pending: Promise<FindKey> | null;
  failure: IssuerError | null;
};

const LIMITS = {
  connectMs: 3000,
  firstByteMs: 3000,
  silenceMs: 3000,
  wholeMs: 5000,
  answerBytes: JWKS_BYTES,
};
/** The most bytes of issuers' answers that are remembered. */
const MOST_BYTES = 16_777_216;
/** What an issuer takes that has not answered. */
const ENTRY_BYTES = 1000;
/** How long keys are used without asking again. */
const FRESH_MS = 600_000;
/** How long they are used while the issuer can't be reached. */
const STALE_MS = 3_600_000;
/** An issuer is asked at most this often, whatever strangers send. */
export const ASKED_EVERY_MS = 5000;
/** How many issuers are asked at once. Those of one holder that keep silent leave room for others'. */
const FETCHES = 64;

/**
 * Remembers issuers' keys, for each holder apart: one with many issuers leaves those of others, and nobody can tell
 * which issuers others have. Keys that a trust has itself need nothing.
 */
export function createIssuerKeys(
  outbound: Outbound,
  clock: Pick<Performance, "now"> = performance,
): IssuerKeys {
  const asking = createAsking(outbound, clock);
  const known = createFairMemory<Known>(MOST_BYTES);

  function remember({ holder, issuer, jwksUri }: KeySource, entry: Known): void {
    known.set(holder, nameKeys({ issuer, jwksUri }), { value: entry, size: ENTRY_BYTES + entry.bytes });
  }

  async function ask(source: KeySource, entry: Known): Promise<FindKey> {
    remember(source, entry);
    const keys = await asking.ask(source, entry);
    remember(source, entry);
    return keys;
  }

  async function getKeys(source: KeySource, entry: Known): Promise<FindKey> {
    const ageMs = clock.now() - entry.fetchedAtMs;
    const stale = ageMs < STALE_MS ? entry.keys : null;
    const canAsk = asking.canAsk(entry);
    if (stale !== null && (ageMs < FRESH_MS || !canAsk)) return stale;
    if (!canAsk) throw entry.failure ?? new IssuerError("The issuer was asked a moment ago.");
    try {
      return await ask(source, entry);
    } catch (error) {
      if (stale === null) throw error;
      return stale;
    }
  }

  return {
    find: async (source, header, token) => {
      if (source.jwks !== null) return requireKeys(source.jwks)(header, token);
      const entry = known.get(source.holder, nameKeys(source)) ?? createEntry();
      const keys = await getKeys(source, entry);
      try {
        return await keys(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || !asking.canAsk(entry)) throw error;
        return (await ask(source, entry))(header, token);
      }
    },
  };
}

/** Asks issuers for their keys: each one at most every few seconds, and few at once. */
function createAsking(outbound: Outbound, clock: Pick<Performance, "now">) {
  const get = createOutboundFetch(outbound, LIMITS);
  const fetches = createSharedCapacity(FETCHES);

  async function refresh(source: KeySource, entry: Known): Promise<FindKey> {
    const { holder } = source;
    if (!fetches.fits(holder, 1)) throw new IssuerError("Too many issuers are asked at the moment.");
    fetches.take(holder, 1);
    entry.askedAtMs = clock.now();
    try {
      const read = await readKeys(get, source);
      Object.assign(entry, { ...read, fetchedAtMs: clock.now(), failure: null });
      return read.keys;
    } catch (error) {
      entry.failure = toIssuerError(error);
      throw entry.failure;
    } finally {
      fetches.release(holder, 1);
    }
  }

  return {
    canAsk: ({ pending, askedAtMs }: Known): boolean =>
      pending !== null || clock.now() - askedAtMs >= ASKED_EVERY_MS,
    /** Shares a request that is under way. */
    ask: async (source: KeySource, entry: Known): Promise<FindKey> => {
      entry.pending ??= refresh(source, entry).finally(() => {
        entry.pending = null;
      });
      return entry.pending;
    },
  };
}

function createEntry(): Known {
  const never = { fetchedAtMs: -Infinity, askedAtMs: -Infinity };
  return { ...never, keys: null, bytes: 0, pending: null, failure: null };
}

function nameKeys({ issuer, jwksUri }: Pick<KeySource, "issuer" | "jwksUri">): string {
  return JSON.stringify([issuer, jwksUri]);
}

async function readKeys(
  get: OutboundFetch,
  { issuer, jwksUri }: KeySource,
): Promise<Pick<Known, "keys" | "bytes"> & { keys: FindKey }> {
  const { value, bytes } = await readJson(get, jwksUri ?? (await discover(get, issuer)));
  return { keys: requireKeys(value), bytes };
}

/** @see https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfigurationResponse */
async function discover(get: OutboundFetch, issuer: string): Promise<string> {
  const { value: found } = await readJson(
    get,
    `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
  );
  if (!isObject(found) || found["issuer"] !== issuer)
    throw new IssuerError("The discovery document is another issuer's.");
  if (typeof found["jwks_uri"] !== "string")
    throw new IssuerError("The discovery document names no jwks_uri.");
  return found["jwks_uri"];
}

async function readJson(get: OutboundFetch, url: string): Promise<{ value: unknown; bytes: number }> {
  const response = await get(url, { headers: { accept: "application/json" } });
  if (response.status !== 200)
    throw new IssuerError(`The issuer answered with the status ${response.status}.`);
  try {
    const text = await response.text();
    return { value: JSON.parse(text), bytes: Buffer.byteLength(text) };
  } catch (error) {
    throw new IssuerError("The issuer's answer is not JSON.", error);
  }
}

function requireKeys(value: unknown): FindKey {
  const keys = parseJwks(value);
  if (keys === null) throw new IssuerError("The issuer's keys can't be read.");
  return keys;
}

function toIssuerError(error: unknown): IssuerError {
  if (error instanceof IssuerError) return error;
  return new IssuerError(error instanceof Error ? error.message : "The issuer can't be reached.", error);
}
