import { LRUCache } from "lru-cache";
import type { Actor } from "../domain/kernel/actor.ts";
import type { Revocation } from "../domain/kernel/revocation.ts";

/** A verified credential. */
export type Credential = {
  actor: Extract<Actor, { type: "agent" }>;
  workspaceId: string;
  workspaceSuspended: boolean;
  ipAllowlist: readonly string[];
  /** Milliseconds until the credential expires, at the time it was verified; null for never. */
  remainingMs: number | null;
};

/** The verified credentials that one node remembers. */
export type RememberedCredentials = {
  recall: (digest: string) => Credential | undefined;
  /** Starts a look-up. The returned function remembers its result, unless something was revoked meanwhile. */
  learn: () => (digest: string, credential: Credential) => void;
  forget: (revocations: readonly Revocation[]) => void;
  /** Whether this node receives revocations. If not, nothing is remembered. */
  trust: (isTrusted: boolean) => void;
};

/** The longest time for which a revocation on another node can go unnoticed. */
const REMEMBERED_MS = 5000;

/**
 * Remembers verified credentials for a few seconds, but not past their expiry.
 *
 * @param clock a clock in milliseconds that starts above 0.
 */
export function rememberCredentials(clock: Pick<Performance, "now"> = performance): RememberedCredentials {
  const remembered = new LRUCache<string, Credential>({
    max: 10_000,
    ttl: REMEMBERED_MS,
    ttlResolution: 0,
    perf: clock,
  });
  let revocations = 0;
  let trusted = true;
  return {
    recall: (digest) => remembered.get(digest),
    learn: () => {
      const before = revocations;
      const started = clock.now();
      return (digest, credential) => {
        const elapsed = clock.now() - started;
        const ttl = Math.floor(Math.min(REMEMBERED_MS, credential.remainingMs ?? REMEMBERED_MS) - elapsed);
        // In lru-cache a ttl of 0 means no expiry.
        if (trusted && before === revocations && ttl > 0) remembered.set(digest, credential, { ttl });
      };
    },
    forget: (revoked) => {
      revocations++;
      for (const [digest, credential] of remembered.entries()) {
        if (revoked.some((revocation) => appliesTo(revocation, credential))) remembered.delete(digest);
      }
    },
    trust: (isTrusted) => {
      revocations++;
      trusted = isTrusted;
      if (!isTrusted) remembered.clear();
    },
  };
}

function appliesTo({ kind, subjectId }: Revocation, { actor, workspaceId }: Credential): boolean {
  switch (kind) {
    case "workspace":
      return subjectId === workspaceId;
    case "agent":
      return subjectId === actor.id;
    case "api_key":
    case "workload_trust":
      return subjectId === actor.credential.parent.id;
    case "agent_token":
      return subjectId === actor.credential.id;
    case "session":
    case "user":
    case "scim_token":
      return false;
  }
}
