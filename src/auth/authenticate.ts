import type { Actor } from "../domain/kernel/actor.ts";
import type { Services } from "../domain/kernel/services.ts";
import { DomainError } from "../domain/kernel/errors.ts";
import { toDomainError } from "../domain/kernel/to-domain-error.ts";
import { parseNetwork } from "../http/network.ts";
import { parseBearerKind, hashSecret } from "./credentials.ts";
import { findCredential } from "./find-credential.ts";
import type { NoteRevokedUse } from "./note-revoked-use.ts";
import type { NoteUse } from "./note-use.ts";
import type { Credential, RememberedCredentials } from "./remembered-credentials.ts";
import type { ClientInfo } from "./sessions/client-info.ts";

/** The services that authentication needs in addition to those of all use cases. */
export type AuthServices = Services & {
  remembered: RememberedCredentials;
  noteUse: NoteUse;
  noteRevokedUse: NoteRevokedUse;
  /** Null in production: PostgreSQL's now() applies. */
  now: Date | null;
};

/** The credentials of a request, and information about the client. */
export type PresentedCredentials = ClientInfo & {
  /** The Authorization header. HTTP joins several with a comma. */
  authorization: string | null;
  /** Whether the URL's query contains a token, which is not allowed. */
  tokenInQuery: boolean;
};

/** The result of authentication: an actor, anonymous, or a rejected credential. */
export type Authentication =
  | { outcome: "actor"; actor: Actor; workspaceId: string; identifiedAtMs: number }
  | { outcome: "anonymous" }
  | { outcome: "refused"; error: DomainError };

/** Matches a joined header: a scheme follows the comma. A parameter would be a name and `=`. */
const SEVERAL = /,\s*[A-Za-z]+\s+\S/;
const BEARER_LENGTH = 512;

/**
 * Authenticates a bearer: an API key or an agent token. A verified credential is remembered for a few
 * seconds, so most requests need no query.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750
 */
export async function authenticate(
  services: AuthServices,
  presented: PresentedCredentials,
): Promise<Authentication> {
  const shown = readBearer(presented);
  if (shown.outcome !== "bearer") return shown;
  try {
    return await authenticateBearer(services, shown.bearer, presented);
  } catch (error) {
    const domainError = toDomainError(error);
    if (domainError?.code !== "unavailable") throw error;
    return { outcome: "refused", error: domainError };
  }
}

/**
 * Reads a request's bearer of any kind. Without one the request is anonymous; a malformed one is rejected.
 */
export function readBearer(
  presented: Omit<PresentedCredentials, keyof ClientInfo>,
): { outcome: "bearer"; bearer: string } | Exclude<Authentication, { outcome: "actor" }> {
  if (presented.tokenInQuery)
    return refuse("invalid_request", "Send the token in the Authorization header, not in the URL.");
  const header = presented.authorization;
  if (header !== null && SEVERAL.test(header)) {
    return refuse("invalid_request", "Send exactly one Authorization header.");
  }
  if (header === null || !/^bearer(?: |$)/i.test(header)) return { outcome: "anonymous" };
  const bearer = header.slice("bearer ".length);
  if (bearer === "" || bearer.length > BEARER_LENGTH || /[\s,]/.test(bearer)) {
    return refuse("invalid_request", "The Authorization header must have the form: Bearer TOKEN.");
  }
  return { outcome: "bearer", bearer };
}

async function authenticateBearer(
  services: AuthServices,
  bearer: string,
  seen: ClientInfo,
): Promise<Authentication> {
  const identifiedAtMs = performance.now();
  const kind = parseBearerKind(bearer);
  if (kind !== "api_key" && kind !== "agent_token") return refuse("invalid_token", "The token is not valid.");
  const digest = hashSecret(bearer);
  const key = Buffer.from(digest).toString("base64");
  // Without news of revocations, nothing is remembered.
  services.live.isTrusted();
  let credential = services.remembered.recall(key);
  if (credential === undefined) {
    const remember = services.remembered.learn();
    const found = await findCredential(services, kind, digest);
    if (found?.state === "revoked") services.noteRevokedUse(found.credential, seen);
    if (found === null || found.state === "revoked")
      return refuse("invalid_token", "The token is not valid.");
    if (found.state === "expired") {
      return refuse("invalid_token", "The token has expired.", "The access token expired");
    }
    credential = found.credential;
    // Not remembered while suspended, so that the end of a suspension takes effect immediately.
    if (!credential.workspaceSuspended) remember(key, credential);
  }
  return admit(services, { credential, identifiedAtMs }, seen.ip);
}

type Identified = { credential: Credential; identifiedAtMs: number };

function admit(
  services: AuthServices,
  { credential, identifiedAtMs }: Identified,
  ip: string | null,
): Authentication {
  if (credential.workspaceSuspended) {
    return refuse("workspace_suspended", "The workspace is suspended.");
  }
  if (!isAllowed(credential.ipAllowlist, ip)) {
    return refuse("ip_not_allowed", "The key is not accepted from this address.");
  }
  services.noteUse(credential, ip);
  const { actor, workspaceId } = credential;
  return { outcome: "actor", actor, workspaceId, identifiedAtMs };
}

function refuse(
  code: DomainError["code"],
  message: string,
  description?: string,
): Extract<Authentication, { outcome: "refused" }> {
  const details = description === undefined ? {} : { description };
  return { outcome: "refused", error: new DomainError(code, message, details) };
}

/**
 * Whether an address is in a list of addresses and networks such as 10.0.0.0/8. An empty list allows every
 * address; an invalid entry matches none.
 */
export function isAllowed(allowlist: readonly string[], ip: string | null): boolean {
  return (
    allowlist.length === 0 || (ip !== null && allowlist.some((entry) => parseNetwork(entry)?.(ip) ?? false))
  );
}
