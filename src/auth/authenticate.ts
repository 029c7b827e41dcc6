import type { Actor } from "../domain/kernel/actor.ts";
import type { Services } from "../domain/kernel/context.ts";
import { DomainError } from "../domain/kernel/errors.ts";
import { toDomainError } from "../domain/kernel/to-domain-error.ts";
import { parseNetwork } from "../http/network.ts";
import { parseBearerKind, hashSecret } from "./credentials.ts";
import { findCredential } from "./find-credential.ts";
import type { NoteRevokedUse } from "./note-revoked-use.ts";
import type { NoteUse } from "./note-use.ts";
import type { Credential, RememberedCredentials } from "./remembered-credentials.ts";
import type { ClientInfo } from "./sessions/client-info.ts";

/** What authentication needs beside the services of every verb. */
export type AuthServices = Services & {
  remembered: RememberedCredentials;
  noteUse: NoteUse;
  noteRevokedUse: NoteRevokedUse;
  /** Null in production, where PostgreSQL's now() decides. */
  now: Date | null;
};

/** What a request shows of its caller. */
export type PresentedCredentials = ClientInfo & {
  /** The Authorization header; several are joined by a comma, as HTTP joins them. */
  authorization: string | null;
  /** Whether the address carries a token in its query, which no request may. */
  tokenInQuery: boolean;
};

/** Who a request is from: somebody, nobody, or a credential that is refused. */
export type Authentication =
  | { outcome: "actor"; actor: Actor; workspaceId: string; identifiedAtMs: number }
  | { outcome: "anonymous" }
  | { outcome: "refused"; error: DomainError };

/** HTTP joins several headers by a comma: a scheme follows it, where a parameter would have a name and =. */
const SEVERAL = /,\s*[A-Za-z]+\s+\S/;
const BEARER_LENGTH = 512;

/**
 * Tells whose request this is from its bearer: an API key or an agent token. A verified credential is
 * remembered for a few seconds, so most requests cost no query.
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
    const refusal = toDomainError(error);
    if (refusal?.code !== "unavailable") throw error;
    return { outcome: "refused", error: refusal };
  }
}

/** A request's bearer, whatever its kind; a request without one is anonymous, one that is malformed refused. */
export function readBearer(
  presented: Omit<PresentedCredentials, keyof ClientInfo>,
): { outcome: "bearer"; bearer: string } | Exclude<Authentication, { outcome: "actor" }> {
  if (presented.tokenInQuery) return refuse("invalid_request", "A token must not stand in the address.");
  const header = presented.authorization;
  if (header !== null && SEVERAL.test(header)) {
    return refuse("invalid_request", "There must be one Authorization header.");
  }
  if (header === null || !/^bearer(?: |$)/i.test(header)) return { outcome: "anonymous" };
  const bearer = header.slice("bearer ".length);
  if (bearer === "" || bearer.length > BEARER_LENGTH || /[\s,]/.test(bearer)) {
    return refuse("invalid_request", "The Authorization header must be one Bearer and one token.");
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
  // Where it can't be known what was revoked, nothing is remembered.
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
    // A suspension may end at any moment; whoever is refused for it asks again.
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
    return refuse("ip_not_allowed", "The key may not be used from this address.");
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
 * Whether an address is in a list of addresses and networks such as 10.0.0.0/8; an empty list allows every
 * address, an entry that can't be read none.
 */
export function isAllowed(allowlist: readonly string[], ip: string | null): boolean {
  return (
    allowlist.length === 0 || (ip !== null && allowlist.some((entry) => parseNetwork(entry)?.(ip) ?? false))
  );
}
