import { LRUCache } from "lru-cache";
import { type Services, openCtx } from "../domain/context.ts";
import { append } from "../domain/events.ts";
import type { Credential } from "./remembered-credentials.ts";
import type { Seen } from "./sessions/seen.ts";

/** Notes that a revoked credential was presented, without making its request wait. */
export type NoteRevokedUse = (credential: Credential, seen: Seen) => void;

/** Whoever goes on with a revoked credential must not fill the audit trail. */
const NOTED_EVERY_MS = 3_600_000;

/** Keeps in the audit trail that revoked credentials are used: once an hour for each, on each node. */
export function noteRevokedUses(services: Services & { now: Date | null }): NoteRevokedUse {
  const noted = new LRUCache<string, true>({ max: 10_000, ttl: NOTED_EVERY_MS });
  return (credential, seen) => {
    const { id } = credential.actor.credential;
    if (noted.has(id)) return;
    noted.set(id, true);
    audit(services, credential, seen).catch((error: unknown) => {
      noted.delete(id);
      services.log.warn({ err: error }, "the use of a revoked credential could not be noted");
    });
  };
}

async function audit(
  services: Services & { now: Date | null },
  { actor, workspaceId }: Credential,
  seen: Seen,
): Promise<void> {
  const caller = { ...seen, actor, workspaceId, traceparent: null, idempotency: null, handSession: () => {} };
  const { kind, id } = actor.credential;
  const action = "credential.used_after_revocation";
  await openCtx(services, caller, services.now).transaction((tx) =>
    append(tx, { events: [], audit: [{ action, targetType: kind, targetId: id }] }),
  );
}
