import type { Actor } from "../domain/kernel/actor.ts";
import { DomainError } from "../domain/kernel/errors.ts";
import type { Wait } from "../domain/kernel/live-channel.ts";
import { type Closing, CLOSINGS } from "./closings.ts";
import type { Connections, Identity } from "./connections.ts";

/** Who waits. A held call waits for people, longer than others. */
type Waiter = { actor: Actor; workspaceId: string; canHold: boolean };

/**
 * Registers a waiting request like a socket, so that revocations end it too. A credential's waits and held calls
 * are counted separately from its sockets, and from each other.
 */
export function createWaits(connections: Connections): (waiter: Waiter) => Wait {
  const [waits, heldCalls] = [createCounts(), createCounts()];
  return (waiter) => {
    const { workspaceId, canHold } = waiter;
    const wait = enterWait(connections, waiter);
    const counts = canHold ? heldCalls : waits;
    counts.add(workspaceId, 1);
    function leave(): void {
      counts.add(workspaceId, -1);
      wait.leave();
    }
    return { ...wait, countOfNode: counts.sum(), countOfWorkspace: () => counts.get(workspaceId), leave };
  };
}

/** Counts by workspace. */
function createCounts() {
  const counts = new Map<string, number>();
  let sum = 0;
  return {
    add: (workspaceId: string, added: number) => {
      const count = (counts.get(workspaceId) ?? 0) + added;
      if (count === 0) counts.delete(workspaceId);
      else counts.set(workspaceId, count);
      sum += added;
    },
    get: (workspaceId: string) => counts.get(workspaceId) ?? 0,
    sum: () => sum,
  };
}

function enterWait(connections: Connections, waiter: Waiter): Pick<Wait, "revoked" | "count" | "leave"> {
  const over = new AbortController();
  const identity = toIdentity(waiter);
  if (identity === null) return { revoked: over.signal, count: 1, leave: () => {} };
  const connection = {
    id: identity.credentialId,
    identity: null,
    endsAtMs: Infinity,
    kill: (closing: Closing) => over.abort(toCredentialError(closing)),
  };
  connections.enter(connection);
  const count = connections.identify(connection, identity);
  return { revoked: over.signal, count, leave: () => connections.leave(connection) };
}

/** Null for an actor without a revocable credential. */
function toIdentity({ actor, workspaceId, canHold }: Waiter): Identity | null {
  const what = canHold ? "held calls" : "waits";
  if (actor.type === "agent") {
    const { id, parent, kind } = actor.credential;
    return {
      kind: "agent",
      workspaceId,
      credentialId: `${what} of ${id}`,
      agentId: actor.id,
      socketTokenId: null,
      parent,
      agentTokenId: kind === "agent_token" ? id : null,
    };
  }
  if (actor.type !== "user" || actor.session === null) return null;
  const { id: sessionId } = actor.session;
  return { kind: "user", workspaceId, credentialId: `${what} of ${sessionId}`, userId: actor.id, sessionId };
}

/**
 * Converts a socket's close code to the error of a waiting request. If sockets may reconnect, the request
 * may be repeated.
 */
export function toCredentialError({ code }: Closing): DomainError {
  return code === CLOSINGS.unauthenticated.code
    ? new DomainError("invalid_token", "The credential is no longer valid.")
    : new DomainError("unavailable", "The credential must be checked again. Repeat the request.");
}
