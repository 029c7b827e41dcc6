import type { Actor } from "../domain/kernel/actor.ts";
import type { Revocation } from "../domain/kernel/revocation.ts";
import type { DomainError } from "../domain/kernel/errors.ts";
import { CLOSINGS } from "./closings.ts";
import { TRUSTED_MS } from "./revocations.ts";
import { toCredentialError } from "./waits.ts";

/** An authenticated caller, and when authentication started, by `performance.now()`. */
export type IdentifiedCaller = { actor: Actor; workspaceId: string; identifiedAtMs: number };

/** A revocation. If another node may have made it, with its age in seconds. */
type NotedRevocation = Revocation & { ageSeconds?: number };

/**
 * Recent revocations, for callers that were authenticated before them and whose use case has not started
 * yet.
 */
export type RecentRevocations = {
  note: (revocations: readonly NotedRevocation[]) => void;
  /**
   * Returns the error if the caller's credential was revoked since. If this node does not know all
   * revocations, only recent authentications are accepted.
   */
  findCredentialError: (letIn: IdentifiedCaller, isTrusted: boolean) => DomainError | null;
};

/** Longer than a request may take to arrive. */
const KEPT_MS = 60_000;

/** Keeps revocations for a minute. To check a caller costs the same however many there were. */
export function createRecentRevocations(): RecentRevocations {
  /** When something was revoked last, for each reason. What was revoked last of all comes last. */
  const kept = new Map<string, Map<string, number>>();
  let newestAtMs = -Infinity;

  function forget(untilMs: number): void {
    for (const [key, reasons] of kept) {
      if (Math.max(...reasons.values()) > untilMs) return;
      kept.delete(key);
    }
  }

  return {
    note: (revocations) => {
      const atMs = performance.now();
      forget(atMs - KEPT_MS);
      for (const { ageSeconds = 0, reason, ...subject } of revocations) {
        const key = toRevocationKey(subject);
        const reasons = kept.get(key) ?? new Map<string, number>();
        // This node's own revocations are read again from the log. Callers authenticated in between already
        // took them into account.
        if ((reasons.get(reason) ?? -Infinity) > atMs - ageSeconds * 1000) continue;
        kept.delete(key);
        kept.set(key, reasons.set(reason, atMs));
        newestAtMs = atMs;
      }
    },
    findCredentialError: ({ actor, workspaceId, identifiedAtMs }, isTrusted) => {
      if (actor.type === "system") return null;
      if (!isTrusted && performance.now() - identifiedAtMs > TRUSTED_MS)
        return toCredentialError(CLOSINGS.unavailable);
      if (newestAtMs < identifiedAtMs) return null;
      const revoked = listActorKeys(actor, workspaceId).flatMap((key) => [...(kept.get(key) ?? [])]);
      const fatal = revoked.find(([, atMs]) => atMs >= identifiedAtMs);
      return fatal === undefined ? null : toCredentialError(CLOSINGS.revoked(fatal[0]));
    },
  };
}

function toRevocationKey({ kind, subjectId }: Pick<Revocation, "kind" | "subjectId">): string {
  return `${kind} ${subjectId}`;
}

/** Lists what a caller depends on. The system, and people who opened a mailed link, depend on nothing. */
function listActorKeys(actor: Actor, workspaceId: string): string[] {
  const workspace = toRevocationKey({ kind: "workspace", subjectId: workspaceId });
  switch (actor.type) {
    case "system":
      return [];
    case "scim":
      return [workspace, toRevocationKey({ kind: "scim_token", subjectId: actor.id })];
    case "user": {
      if (actor.session === null) return [];
      const { id: sessionId } = actor.session;
      const session = toRevocationKey({ kind: "session", subjectId: sessionId });
      return [workspace, session, toRevocationKey({ kind: "user", subjectId: actor.id })];
    }
    case "agent": {
      const { kind, id, parent } = actor.credential;
      const keys = [
        workspace,
        toRevocationKey({ kind: "agent", subjectId: actor.id }),
        toRevocationKey({ kind, subjectId: id }),
      ];
      return [...keys, toRevocationKey({ kind: parent.kind, subjectId: parent.id })];
    }
  }
}
