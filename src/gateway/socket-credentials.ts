import { hashSecret } from "../auth/credentials.ts";
import type { VisitorServices } from "../auth/identify.ts";
import { authenticateSession } from "../auth/sessions/authenticate-session.ts";
import { readSessionTokens } from "../auth/sessions/session-cookies.ts";
import { type SocketRejection, authenticateSocket } from "../auth/socket-tokens/authenticate-socket.ts";
import type { Actor } from "../domain/kernel/actor.ts";
import { DomainError } from "../domain/kernel/errors.ts";
import { type Closing, CLOSINGS } from "../live/closings.ts";
import type { Identity } from "../live/connections.ts";
import type { SocketRequest } from "./socket-connection.ts";

/** The authenticated caller of a socket. */
export type SocketCaller = {
  /** Identifies the credential. For a person, the SHA-256 of the session's token. */
  id: string;
  actor: Actor;
  identity: Identity;
  /** Milliseconds until the credential expires; null for never. */
  remainingMs: number | null;
};

const CLOSING_BY_REJECTION: Record<SocketRejection, Closing> = {
  invalid: CLOSINGS.unauthenticated,
  forbidden: CLOSINGS.forbidden,
  expired: CLOSINGS.expired,
  workspace_suspended: CLOSINGS.workspaceSuspended,
};

/**
 * Finds the person by an upgrade's cookies: null if there are none, or how to close the socket if they are
 * invalid.
 */
export function findPerson(
  services: VisitorServices,
  request: SocketRequest,
): Promise<SocketCaller | Closing> | null {
  const presented = readSessionTokens(request.cookie);
  if (presented.session.length + presented.rememberMe.length === 0) return null;
  return catchClosing(services, async () => {
    const found = await authenticateSession(services, presented, request);
    if (found === null) return CLOSINGS.unauthenticated;
    if (found.actor.session.needsFactor) return CLOSINGS.mfaRequired;
    const { actor, known, token } = found;
    const { id: sessionId, workspaceId, remainingMs } = known;
    return {
      id: Buffer.from(hashSecret(token)).toString("hex"),
      // A socket may stay open longer than the session is sudo.
      actor: { ...actor, session: { ...actor.session, isSudo: false } },
      identity: { kind: "user", workspaceId, credentialId: sessionId, userId: actor.id, sessionId },
      remainingMs,
    };
  });
}

/** Finds the agent by a socket token, or how to close the socket if it is invalid. */
export function findAgent(
  services: VisitorServices,
  request: SocketRequest,
  token: string,
): Promise<SocketCaller | Closing> {
  return catchClosing(services, async () => {
    const found = await authenticateSocket(services, token, request.ip);
    if (typeof found === "string") return CLOSING_BY_REJECTION[found];
    const { actor, workspaceId, socketTokenId, agentTokenId, remainingMs } = found;
    const { id: credentialId, parent } = actor.credential;
    const ids = { workspaceId, credentialId, agentId: actor.id, socketTokenId, parent, agentTokenId };
    return { id: socketTokenId, actor, identity: { kind: "agent", ...ids }, remainingMs };
  });
}

async function catchClosing(
  { log }: VisitorServices,
  find: () => Promise<SocketCaller | Closing>,
): Promise<SocketCaller | Closing> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof DomainError) return CLOSINGS.workspaceSuspended;
    log.debug({ err: error }, "a socket's credential can't be looked up at the moment");
    return CLOSINGS.unavailable;
  }
}
