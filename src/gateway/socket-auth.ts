import { v7 as uuidv7 } from "uuid";
import type { VisitorServices } from "../auth/identify.ts";
import type { Actor } from "../domain/kernel/actor.ts";
import { type Ctx, openCtx } from "../domain/kernel/context.ts";
import { type Closing, CLOSINGS } from "../live/closings.ts";
import type { Connections } from "../live/connections.ts";
import type { SocketConnection } from "./socket-connection.ts";
import { type SocketCaller, findAgent, findPerson } from "./socket-credentials.ts";

/** Authenticates sockets. */
export type SocketAuth = {
  /**
   * Called when a socket opens: looks up the session of its cookies, and closes the socket if that is
   * invalid.
   */
  opened: (connection: SocketConnection) => void;
  /**
   * Called with the payload of connection_init. @returns whether the socket is authenticated; otherwise it
   * is closed.
   */
  init: (connection: SocketConnection, params: Readonly<Record<string, unknown>>) => Promise<boolean>;
};

const SOCKETS_PER_CREDENTIAL = 100;
const PROBE = { name: "socket_probe", text: "SELECT 1" };
const TOKEN_LENGTH = 512;

/**
 * Authenticates people by the session cookie of the upgrade and agents by the socket token of
 * connection_init, but never by both. Sockets are registered before the look-up, so a revocation during it
 * closes them.
 */
export function createSocketAuth(services: VisitorServices, connections: Connections): SocketAuth {
  const people = new WeakMap<SocketConnection, Promise<SocketCaller | Closing>>();

  async function closeUnlessFound(
    connection: SocketConnection,
    looking: Promise<SocketCaller | Closing>,
  ): Promise<void> {
    const found = await looking;
    if ("code" in found) connection.kill(found);
  }

  function find(
    connection: SocketConnection,
    token: string | null | undefined,
  ): Promise<SocketCaller | Closing> | Closing {
    const person = people.get(connection);
    if (token === undefined || (token !== null && person !== undefined)) return CLOSINGS.badRequest;
    if (token !== null) return findAgent(services, connection.request, token);
    return person ?? CLOSINGS.unauthenticated;
  }

  /**
   * While authentication is unavailable, clients may arrive without a token or with an invalid one, because
   * they could not mint any. Asks them to reconnect: 4401 would stop them for good.
   */
  async function unlessAway(found: SocketCaller | Closing): Promise<SocketCaller | Closing> {
    if (!("code" in found) || found.code !== CLOSINGS.unauthenticated.code) return found;
    const isAway = await services.database.run(PROBE, []).then(
      () => !services.live.isTrusted(),
      () => true,
    );
    return isAway ? CLOSINGS.unavailable : found;
  }

  return {
    opened: (connection) => {
      const looking = findPerson(services, connection.request);
      if (looking === null) return;
      people.set(connection, looking);
      closeUnlessFound(connection, looking).catch((error: unknown) => {
        services.log.error({ err: error }, "a socket could not be closed");
      });
    },
    init: async (connection, params) => {
      const found = await unlessAway(await find(connection, readToken(params)));
      if ("code" in found) {
        connection.kill(found);
        return false;
      }
      const isIn = admit(connections, connection, found);
      if (isIn) connection.openCtx = () => createCtx(services, connection, found);
      return isIn;
    },
  };
}

function admit(
  connections: Connections,
  connection: SocketConnection,
  { id, identity, remainingMs }: SocketCaller,
): boolean {
  connection.id = id;
  const count = connections.identify(connection, identity);
  if (count > SOCKETS_PER_CREDENTIAL) connection.kill(CLOSINGS.tooManySockets);
  if (count === 0 || connection.isGone()) return false;
  if (remainingMs !== null) {
    connection.endsAtMs = Math.min(connection.endsAtMs, performance.now() + remainingMs);
  }
  return true;
}

/** Each operation has its own request id. */
function createCtx(
  services: VisitorServices,
  { request, ended }: SocketConnection,
  { actor, identity }: { actor: Actor; identity: { workspaceId: string } },
): Ctx {
  const caller = {
    actor,
    workspaceId: identity.workspaceId,
    requestId: uuidv7(),
    ip: request.ip,
    userAgent: request.userAgent,
    traceparent: null,
    idempotency: null,
    handSession: ignore,
  };
  return Object.assign(openCtx(services, caller, services.now), { signal: ended });
}

/** A socket can't set cookies. */
function ignore(): void {}

/** The token of connection_init: null if there is none, undefined if it is malformed. */
function readToken(params: Readonly<Record<string, unknown>>): string | null | undefined {
  const { token, socket_token: alias, authorization } = params;
  const given = [token, alias, authorization].filter((value) => value !== undefined && value !== null);
  if (given.length === 0) return null;
  const [only, ...others] = given;
  if (others.length > 0 || typeof only !== "string" || only.length > TOKEN_LENGTH) return undefined;
  return only === authorization ? only.replace(/^bearer\s+/i, "") : only;
}
