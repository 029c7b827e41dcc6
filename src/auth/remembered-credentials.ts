import { LRUCache } from "lru-cache";
import type { Actor } from "../domain/kernel/actor.ts";
import type { Revocation } from "../domain/kernel/revocation.ts";

/** A verified credential. */
export type Credential = {
  actor: Extract<Actor, { type: "agent" }>;
  workspaceId: string;
  workspaceSuspended: boolean;
  ipAllowlist: readonly string[];
  /** Milliseconds until the credential expires by itself, when it was verified; null for never. */
  remainingMs: number | null;
};

/** What one node remembers of the credentials that it verified. */
export type RememberedCredentials = {
  recall: (digest: string) => Credential | undefined;
  /** Starts a look-up: the function it gives remembers the result, unless something was revoked meanwhile. */
  learn: () => (digest: string, credential: Credential) => void;
  forget: (revocations: readonly Revocation[]) => void;
  /** Whether this node hears of revocations; while it does not, nothing is remembered. */
  trust: (isTrusted: boolean) => void;
};

/** How long a revocation on another node can stay unnoticed here. */
const REMEMBERED_MS = 5000;

/**
 * Remembers verified credentials for a few seconds, and never past their own end.
 *
 * @param clock tells milliseconds, from more than 0 on.
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
        // A ttl of 0 would mean for ever.
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
      return subjectId === actor.credential.apiKeyId;
    case "agent_token":
      return subjectId === actor.credential.id;
    case "session":
    case "user":
    case "scim_token":
      return false;
  }
}
