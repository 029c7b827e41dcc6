import { randomUUID } from "node:crypto";
import { digestOf } from "../auth/credentials.ts";
import type { VisitorServices } from "../auth/identify.ts";
import { authenticateSession } from "../auth/sessions/authenticate-session.ts";
import { presentedSessions } from "../auth/sessions/session-cookies.ts";
import { type SocketRefusal, authenticateSocket } from "../auth/socket-tokens/authenticate-socket.ts";
import type { Actor } from "../domain/actor.ts";
import { openCtx } from "../domain/context.ts";
import { DomainError } from "../domain/errors.ts";
import { type Closing, CLOSINGS } from "../live/closings.ts";
import type { Connections, Identity } from "../live/connections.ts";
import type { SocketConnection } from "./socket-connection.ts";

/** Finds out whose a socket is. */
export type SocketAuth = {
  /** Told when it opens: a person's session is looked up at once, and refused where it is not valid. */
  opened: (connection: SocketConnection) => void;
  /** Told of its connection_init. @returns whether it is let in; where not it is closed. */
  init: (connection: SocketConnection, params: Readonly<Record<string, unknown>>) => Promise<boolean>;
};

/** Somebody whom a socket was found to be of. */
type Found = { id: string; actor: Actor; identity: Identity; remainingMs: number | null };

const SOCKETS_PER_CREDENTIAL = 100;
const TOKEN_LENGTH = 512;

const REFUSALS: Record<SocketRefusal, Closing> = {
  invalid: CLOSINGS.unauthenticated,
  forbidden: CLOSINGS.forbidden,
  expired: CLOSINGS.expired,
  workspace_suspended: CLOSINGS.workspaceSuspended,
};

/**
 * Lets people in by the session cookie of the upgrade and agents by the socket token of connection_init, never
 * by both. Every socket was entered in the registry before it is looked up: what is revoked in between closes it.
 */
export function createSocketAuth(services: VisitorServices, connections: Connections): SocketAuth {
  const people = new WeakMap<SocketConnection, Promise<Found | Closing>>();

  function findPerson(connection: SocketConnection): Promise<Found | Closing> | null {
    const presented = presentedSessions(connection.request.cookie);
    if (presented.session.length + presented.rememberMe.length === 0) return null;
    return refusing(async () => {
      const found = await authenticateSession(services, presented, connection.request);
      if (found === null) return CLOSINGS.unauthenticated;
      const { actor, known, token } = found;
      const { id: sessionId, workspaceId, remainingMs } = known;
      return {
        id: Buffer.from(digestOf(token)).toString("hex"),
        // A socket may outlive the minutes after the password was given.
        actor: { ...actor, session: { ...actor.session, isSudo: false } },
        identity: { kind: "user", workspaceId, credentialId: sessionId, userId: actor.id, sessionId },
        remainingMs,
      };
    });
  }

  function findAgent({ request }: SocketConnection, token: string): Promise<Found | Closing> {
    return refusing(async () => {
      const found = await authenticateSocket(services, token, request.ip);
      if (typeof found === "string") return REFUSALS[found];
      const { actor, workspaceId, socketTokenId, agentTokenId, remainingMs } = found;
      const { id: credentialId, apiKeyId } = actor.credential;
      const ids = { workspaceId, credentialId, agentId: actor.id, socketTokenId, apiKeyId, agentTokenId };
      return { id: socketTokenId, actor, identity: { kind: "agent", ...ids }, remainingMs };
    });
  }

  async function refusing(find: () => Promise<Found | Closing>): Promise<Found | Closing> {
    try {
      return await find();
    } catch (error) {
      if (error instanceof DomainError) return CLOSINGS.workspaceSuspended;
      services.log.debug({ err: error }, "a socket's credential can't be looked up at this moment");
      return CLOSINGS.unavailable;
    }
  }

  function admit(connection: SocketConnection, { id, actor, identity, remainingMs }: Found): boolean {
    connection.id = id;
    const count = connections.identify(connection, identity);
    if (count > SOCKETS_PER_CREDENTIAL) connection.kill(CLOSINGS.tooManySockets);
    if (count === 0 || connection.isGone()) return false;
    if (remainingMs !== null) {
      connection.endsAtMs = Math.min(connection.endsAtMs, performance.now() + remainingMs);
    }
    const { request } = connection;
    connection.openCtx = () =>
      openCtx(
        services,
        {
          actor,
          workspaceId: identity.workspaceId,
          requestId: randomUUID(),
          ip: request.ip,
          userAgent: request.userAgent,
          traceparent: null,
          idempotency: null,
          handSession: () => {},
        },
        services.now,
      );
    return true;
  }

  return {
    opened: (connection) => {
      const looking = findPerson(connection);
      if (looking === null) return;
      people.set(connection, looking);
      void looking.then((found) => {
        if ("code" in found) connection.kill(found);
      });
    },
    init: async (connection, params) => {
      const token = tokenOf(params);
      const person = people.get(connection);
      if (token === undefined || (token !== null && person !== undefined)) {
        connection.kill(CLOSINGS.badRequest);
        return false;
      }
      const looking = token === null ? person : findAgent(connection, token);
      const found = (await looking) ?? CLOSINGS.unauthenticated;
      if ("code" in found) {
        connection.kill(found);
        return false;
      }
      return admit(connection, found);
    },
  };
}

/** The token that connection_init carries: null for none, undefined for what can't be one. */
function tokenOf(params: Readonly<Record<string, unknown>>): string | null | undefined {
  const { token, socket_token: alias, authorization } = params;
  const given = [token, alias, authorization].filter((value) => value !== undefined && value !== null);
  if (given.length === 0) return null;
  const [only, ...others] = given;
  if (others.length > 0 || typeof only !== "string" || only.length > TOKEN_LENGTH) return undefined;
  return only === authorization ? only.replace(/^bearer\s+/i, "") : only;
}
