import type { Revocation } from "../domain/kernel/revocation.ts";
import { type Closing, CLOSINGS } from "./closings.ts";

/** What a socket stands on: while all of it lives, the socket may stay. */
export type Identity = {
  workspaceId: string;
  /** Names the credential that sockets are counted by. */
  credentialId: string;
} & (
  | { kind: "user"; userId: string; sessionId: string }
  | {
      kind: "agent";
      agentId: string;
      /** Null for a request that waits. */
      socketTokenId: string | null;
      apiKeyId: string;
      agentTokenId: string | null;
    }
);

/** A socket, or a request that waits, as the registry knows it. */
export type LiveConnection = {
  /** What names it in the log. */
  id: string;
  /** Null until it is known whose it is. */
  identity: Identity | null;
  /** When it ends by itself, by `performance.now()`. */
  endsAtMs: number;
  /** Stops everything that it does, at once. */
  kill: (closing: Closing) => void;
};

/** Every socket of this node, and every request that waits here, by what it stands on. */
export type Connections = {
  /** Before it is known whose it is: what is revoked from now on counts. */
  enter: (connection: LiveConnection) => void;
  /**
   * Tells whose it is. Closes it where that was revoked since it entered, or where that can't be known.
   *
   * @returns how many sockets the credential has now; 0 where this one was closed.
   */
  identify: (connection: LiveConnection, identity: Identity) => number;
  leave: (connection: LiveConnection) => void;
  revoke: (revocations: readonly Revocation[]) => void;
  all: () => Iterable<LiveConnection>;
  count: () => { all: number; unidentified: number };
  killAll: (closing: Closing) => void;
  /** Whether this node hears of what is revoked. While it does not, everybody is closed and nobody is let in. */
  trust: (isTrusted: boolean) => void;
};

/** Makes an empty registry. */
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
      // It has left meanwhile.
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

/** Connections by everything that they stand on. */
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
  const { agentId, apiKeyId, agentTokenId } = identity;
  keys.push(
    toRevocationKey({ kind: "agent", subjectId: agentId }),
    toRevocationKey({ kind: "api_key", subjectId: apiKeyId }),
  );
  if (agentTokenId !== null) keys.push(toRevocationKey({ kind: "agent_token", subjectId: agentTokenId }));
  return keys;
}

function findClosing(revocations: readonly Revocation[], identity: Identity): Closing | null {
  const fatal = revocations.find((revocation) => isRevokedBy(revocation, identity));
  return fatal === undefined ? null : CLOSINGS.revoked(fatal.reason);
}

function isRevokedBy(revocation: Revocation, identity: Identity): boolean {
  // What a rotated key has minted goes on under the key that took its place.
  if (revocation.kind === "api_key" && revocation.reason === "rotated") return false;
  return listIdentityKeys(identity).includes(toRevocationKey(revocation));
}
