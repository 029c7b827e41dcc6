import * as oidc from "openid-client";
import type { SignInProvider } from "../../db/generated/client.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { createOutboundFetch } from "../../http/outbound/outbound-fetch.ts";
import type { Outbound } from "../../http/outbound/outbound.ts";
import type { SealedBox } from "../secrets/sealed-box.ts";
import { getClientSecretPlace } from "./set-sign-in-provider.ts";

/** What requests to a provider need of its row. */
export type ProviderRow = Pick<
  SignInProvider,
  "workspaceId" | "id" | "issuer" | "clientId" | "sealedClientSecret" | "generation"
>;

/** Clients of providers, with what is remembered of their documents on this node. */
export type ProviderClients = {
  /**
   * Runs a request or check with a provider's client.
   *
   * @throws {DomainError} unavailable if the provider's documents can't be read, or its secret.
   */
  use: <Result>(row: ProviderRow, work: (client: oidc.Configuration) => Promise<Result>) => Promise<Result>;
};

type Known = {
  key: string;
  metadata: Promise<oidc.ServerMetadata>;
  readAtMs: number;
  keys: { jwks: oidc.JWKS; readAtMs: number } | null;
};

const MOST_PROVIDERS = 500;
const METADATA_MS = 600_000;
/** A provider that was away is asked again only then, however many people try. */
const FAILURE_MS = 5000;
const KEYS_MS = 290_000;
/** Seconds by which clocks may differ. */
const SKEW_SECONDS = 60;
/** At this age, keys are read again when a token names one that is not known. */
const REFRESHABLE_SECONDS = 60;
const LIMITS = { connectMs: 3000, firstByteMs: 5000, silenceMs: 3000, wholeMs: 8000, answerBytes: 65_536 };

/** Creates the clients of a process. All requests pass the guarded client, which allows http only where it is told. */
export function createProviderClients(outbound: Outbound, sealedBox: SealedBox | null): ProviderClients {
  const fetch: oidc.CustomFetch = createOutboundFetch(outbound, LIMITS);
  const known = new Map<string, Known>();

  function remember(row: ProviderRow): Known {
    const key = `${row.issuer} ${row.generation}`;
    const before = known.get(row.id);
    if (before?.key === key && Date.now() - before.readAtMs < METADATA_MS) return before;
    const metadata = discover(row, fetch);
    const entry: Known = { key, metadata, readAtMs: Date.now(), keys: null };
    metadata.catch(() => {
      entry.readAtMs = Date.now() - METADATA_MS + FAILURE_MS;
    });
    known.delete(row.id);
    known.set(row.id, entry);
    const [oldest] = known.keys();
    if (known.size > MOST_PROVIDERS && oldest !== undefined) known.delete(oldest);
    return entry;
  }

  return {
    use: async (row, work) => {
      const entry = remember(row);
      const metadata = await entry.metadata;
      const secret = openSecret(row, sealedBox);
      const client = createClient(row, { metadata, secret, fetch });
      lendKeys(client, entry);
      try {
        return await work(client);
      } finally {
        keepKeys(client, entry);
      }
    },
  };
}

async function discover(
  { issuer, clientId }: ProviderRow,
  fetch: oidc.CustomFetch,
): Promise<oidc.ServerMetadata> {
  try {
    const found = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
      [oidc.customFetch]: fetch,
      execute: [oidc.allowInsecureRequests],
    });
    const metadata = found.serverMetadata();
    if (metadata.issuer === issuer) return metadata;
  } catch {
    // Its texts are the provider's.
  }
  throw new DomainError(
    "unavailable",
    "Your company's sign-in can't be reached at the moment, or is not set up correctly. Try again in a minute, or ask an admin of your workspace.",
  );
}

type Parts = { metadata: oidc.ServerMetadata; secret: string | null; fetch: oidc.CustomFetch };

function createClient({ clientId }: ProviderRow, { metadata, secret, fetch }: Parts): oidc.Configuration {
  const settings = { [oidc.clockTolerance]: SKEW_SECONDS };
  const client = new oidc.Configuration(metadata, clientId, settings, getAuthentication(metadata, secret));
  client[oidc.customFetch] = fetch;
  oidc.allowInsecureRequests(client);
  // Without it, an ID token is believed for the connection that it came by.
  oidc.enableNonRepudiationChecks(client);
  return client;
}

/** @see https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata the default */
function getAuthentication(metadata: oidc.ServerMetadata, secret: string | null): oidc.ClientAuth {
  if (secret === null) return oidc.None();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oidc.ClientSecretBasic(secret)
    : oidc.ClientSecretPost(secret);
}

function openSecret(row: ProviderRow, sealedBox: SealedBox | null): string | null {
  if (row.sealedClientSecret === null) return null;
  const secret = sealedBox?.open(row.sealedClientSecret, getClientSecretPlace(row)) ?? null;
  if (secret !== null) return secret;
  throw new DomainError(
    "unavailable",
    "The secret of your company's sign-in can't be read. An admin of your workspace has to enter it again.",
  );
}

function lendKeys(client: oidc.Configuration, { keys }: Known): void {
  if (keys === null || Date.now() - keys.readAtMs > KEYS_MS) return;
  const now = Math.floor(Date.now() / 1000);
  const readAt = Math.floor(keys.readAtMs / 1000);
  oidc.setJwksCache(client, { jwks: keys.jwks, uat: Math.min(readAt, now - REFRESHABLE_SECONDS) });
}

function keepKeys(client: oidc.Configuration, entry: Known): void {
  const jwks = oidc.getJwksCache(client)?.jwks;
  if (jwks !== undefined && jwks !== entry.keys?.jwks) entry.keys = { jwks, readAtMs: Date.now() };
}
