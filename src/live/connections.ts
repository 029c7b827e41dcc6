import type { Revocation } from "../domain/revocation.ts";
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
export type Connection = {
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
  enter: (connection: Connection) => void;
  /**
   * Tells whose it is. Closes it where that was revoked since it entered, or where that can't be known.
   *
   * @returns how many sockets the credential has now; 0 where this one was closed.
   */
  identify: (connection: Connection, identity: Identity) => number;
  leave: (connection: Connection) => void;
  revoke: (revocations: readonly Revocation[]) => void;
  all: () => Iterable<Connection>;
  count: () => { all: number; unidentified: number };
  killAll: (closing: Closing) => void;
  /** Whether this node hears of what is revoked. While it does not, everybody is closed and nobody is let in. */
  trust: (isTrusted: boolean) => void;
};

/** Makes an empty registry. */
export function createConnections(): Connections {
  const known = createIndex();
  const unidentified = new Map<Connection, Revocation[]>();
  const all = new Set<Connection>();
  let trusted = true;

  function killAll(closing: Closing): void {
    for (const connection of all) connection.kill(closing);
  }

  function revokeOne(revocation: Revocation): void {
    for (const connection of known.of(keyOf(revocation))) {
      if (connection.identity === null || !kills(revocation, connection.identity)) continue;
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
      const refusal = trusted ? closingBy(missed, identity) : CLOSINGS.unavailable;
      if (refusal !== null) {
        connection.kill(refusal);
        return 0;
      }
      connection.identity = identity;
      known.add(connection, identity);
      return known.of(credentialKey(identity)).size;
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
  of: (key: string) => ReadonlySet<Connection>;
  add: (connection: Connection, identity: Identity) => void;
  remove: (connection: Connection, identity: Identity) => void;
};

const NOBODY: ReadonlySet<Connection> = new Set();

function createIndex(): Index {
  const known = new Map<string, Set<Connection>>();
  return {
    of: (key) => known.get(key) ?? NOBODY,
    add: (connection, identity) => {
      for (const key of keysOf(identity)) known.set(key, (known.get(key) ?? new Set()).add(connection));
    },
    remove: (connection, identity) => {
      for (const key of keysOf(identity)) {
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

function keyOf({ kind, subjectId }: Pick<Revocation, "kind" | "subjectId">): string {
  return `${kind} ${subjectId}`;
}

function keysOf(identity: Identity): string[] {
  const { workspaceId } = identity;
  const keys = [credentialKey(identity), keyOf({ kind: "workspace", subjectId: workspaceId })];
  if (identity.kind === "user") {
    const { userId, sessionId } = identity;
    keys.push(keyOf({ kind: "user", subjectId: userId }), keyOf({ kind: "session", subjectId: sessionId }));
    return keys;
  }
  const { agentId, apiKeyId, agentTokenId } = identity;
  keys.push(keyOf({ kind: "agent", subjectId: agentId }), keyOf({ kind: "api_key", subjectId: apiKeyId }));
  if (agentTokenId !== null) keys.push(keyOf({ kind: "agent_token", subjectId: agentTokenId }));
  return keys;
}

function closingBy(revocations: readonly Revocation[], identity: Identity): Closing | null {
  const fatal = revocations.find((revocation) => kills(revocation, identity));
  return fatal === undefined ? null : CLOSINGS.revoked(fatal.reason);
}

function kills(revocation: Revocation, identity: Identity): boolean {
  // What a rotated key has minted goes on under the key that took its place.
  if (revocation.kind === "api_key" && revocation.reason === "rotated") return false;
  return keysOf(identity).includes(keyOf(revocation));
}
