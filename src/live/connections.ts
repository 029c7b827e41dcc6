import type { CredentialParent } from "../domain/kernel/actor.ts";
import type { Revocation } from "../domain/kernel/revocation.ts";
import { type Closing, CLOSINGS } from "./closings.ts";

/** What a socket depends on. It may stay open while all of it is valid. */
export type Identity = {
  workspaceId: string;
  /** The id under which the credential's sockets are counted. */
  credentialId: string;
} & (
  | { kind: "user"; userId: string; sessionId: string }
  | {
      kind: "agent";
      agentId: string;
      /** Null for a waiting request. */
      socketTokenId: string | null;
      parent: CredentialParent;
      agentTokenId: string | null;
    }
);

/** A socket or a waiting request, as the registry sees it. */
export type LiveConnection = {
  /** Identifies it in the log. */
  id: string;
  /** Null before authentication. */
  identity: Identity | null;
  /** When it expires, by `performance.now()`. */
  endsAtMs: number;
  /** Stops everything it does immediately. */
  kill: (closing: Closing) => void;
};

/** The sockets and waiting requests of this node, by what they depend on. */
export type Connections = {
  /** Registers a connection before authentication. Revocations from now on apply to it. */
  enter: (connection: LiveConnection) => void;
  /**
   * Sets the identity. Closes the connection if the identity was revoked since it was registered, or if
   * that is unknown.
   *
   * @returns the number of sockets of the credential; 0 if this one was closed.
   */
  identify: (connection: LiveConnection, identity: Identity) => number;
  leave: (connection: LiveConnection) => void;
  revoke: (revocations: readonly Revocation[]) => void;
  all: () => Iterable<LiveConnection>;
  count: () => { all: number; unidentified: number };
  killAll: (closing: Closing) => void;
  /**
   * Sets whether this node receives revocations. While it does not, all connections are closed and none are
   * accepted.
   */
  trust: (isTrusted: boolean) => void;
};

export function createConnections(): Connections {
  const known = createIndex();
  const unidentified = new Map<LiveConnection, Revocation[]>();
  const all = new Set<LiveConnection>();
  let trusted = true;

  function killAll(closing: Closing): void {
    for (const connection of all) connection.kill(closing);
  }

  function revokeOne(revocation: Revocation): void {
    for (const connection of known.get(toRevocationKey(revocation))) {
      if (connection.identity === null || !isRevokedBy(revocation, connection.identity)) continue;
      connection.kill(CLOSINGS.revoked(revocation.reason));
    }
  }

  return {
    enter: (connection) => {
      all.add(connection);
      unidentified.set(connection, []);
    },
    identify: (connection, identity) => {
      const missed = unidentified.get(connection);
      // It was removed meanwhile.
      if (missed === undefined) return 0;
      unidentified.delete(connection);
      const closing = trusted ? findClosing(missed, identity) : CLOSINGS.unavailable;
      if (closing !== null) {
        connection.kill(closing);
        return 0;
      }
      connection.identity = identity;
      known.add(connection, identity);
      return known.get(credentialKey(identity)).size;
    },
    leave: (connection) => {
      all.delete(connection);
      unidentified.delete(connection);
      if (connection.identity !== null) known.remove(connection, connection.identity);
    },
    revoke: (revocations) => {
      for (const missed of unidentified.values()) missed.push(...revocations);
      for (const revocation of revocations) revokeOne(revocation);
    },
    all: () => all,
    count: () => ({ all: all.size, unidentified: unidentified.size }),
    killAll,
    trust: (isTrusted) => {
      trusted = isTrusted;
      if (!trusted) killAll(CLOSINGS.unavailable);
    },
  };
}

/** Connections by everything that they depend on. */
type Index = {
  get: (key: string) => ReadonlySet<LiveConnection>;
  add: (connection: LiveConnection, identity: Identity) => void;
  remove: (connection: LiveConnection, identity: Identity) => void;
};

const NOBODY: ReadonlySet<LiveConnection> = new Set();

function createIndex(): Index {
  const known = new Map<string, Set<LiveConnection>>();
  return {
    get: (key) => known.get(key) ?? NOBODY,
    add: (connection, identity) => {
      for (const key of listIdentityKeys(identity))
        known.set(key, (known.get(key) ?? new Set()).add(connection));
    },
    remove: (connection, identity) => {
      for (const key of listIdentityKeys(identity)) {
        const others = known.get(key);
        others?.delete(connection);
        if (others?.size === 0) known.delete(key);
      }
    },
  };
}

function credentialKey({ credentialId }: Identity): string {
  return `credential ${credentialId}`;
}

function toRevocationKey({ kind, subjectId }: Pick<Revocation, "kind" | "subjectId">): string {
  return `${kind} ${subjectId}`;
}

function listIdentityKeys(identity: Identity): string[] {
  const { workspaceId } = identity;
  const keys = [credentialKey(identity), toRevocationKey({ kind: "workspace", subjectId: workspaceId })];
  if (identity.kind === "user") {
    const { userId, sessionId } = identity;
    keys.push(
      toRevocationKey({ kind: "user", subjectId: userId }),
      toRevocationKey({ kind: "session", subjectId: sessionId }),
    );
    return keys;
  }
  const { agentId, parent, agentTokenId } = identity;
  keys.push(
    toRevocationKey({ kind: "agent", subjectId: agentId }),
    toRevocationKey({ kind: parent.kind, subjectId: parent.id }),
  );
  if (agentTokenId !== null) keys.push(toRevocationKey({ kind: "agent_token", subjectId: agentTokenId }));
  return keys;
}

function findClosing(revocations: readonly Revocation[], identity: Identity): Closing | null {
  const fatal = revocations.find((revocation) => isRevokedBy(revocation, identity));
  return fatal === undefined ? null : CLOSINGS.revoked(fatal.reason);
}

function isRevokedBy(revocation: Revocation, identity: Identity): boolean {
  // Tokens of a rotated key depend on its successor.
  if (revocation.kind === "api_key" && revocation.reason === "rotated") return false;
  return listIdentityKeys(identity).includes(toRevocationKey(revocation));
}
