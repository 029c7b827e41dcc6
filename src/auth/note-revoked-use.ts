import type { Actor } from "../domain/kernel/actor.ts";
import { openCtx } from "../domain/kernel/context.ts";
import type { Services } from "../domain/kernel/services.ts";
import { append } from "../domain/kernel/events.ts";
import { createFairMemory } from "../domain/kernel/fair-memory.ts";
import type { ClientInfo } from "./sessions/client-info.ts";

/** A bearer that is revoked. */
export type RevokedCredential = {
  kind: "api_key" | "agent_token" | "scim_token";
  id: string;
  /** Its former actor. */
  actor: Actor;
  workspaceId: string;
};

/** Records the use of a revoked credential in the background. */
export type NoteRevokedUse = (credential: RevokedCredential, seen: ClientInfo) => void;

/** A client that keeps using a revoked credential must not fill the audit log. */
const NOTED_EVERY_MS = 3_600_000;
/** The credentials of all workspaces that a node remembers. */
const MOST_REMEMBERED = 10_000;

/** Records uses of revoked credentials in the audit log, at most once an hour per credential and node. */
export function noteRevokedUses(services: Services & { now: Date | null }): NoteRevokedUse {
  const noted = createFairMemory<{ nextAtMs: number }>(MOST_REMEMBERED);
  return (credential, seen) => {
    const { id, workspaceId } = credential;
    const atMs = performance.now();
    if (atMs < (noted.get(workspaceId, id)?.nextAtMs ?? 0)) return;
    const note = { nextAtMs: atMs + NOTED_EVERY_MS };
    noted.set(workspaceId, id, { value: note, size: 1 });
    audit(services, credential, seen).catch((error: unknown) => {
      note.nextAtMs = 0;
      services.log.warn({ err: error }, "the use of a revoked credential could not be recorded");
    });
  };
}

async function audit(
  services: Services & { now: Date | null },
  { kind, id, actor, workspaceId }: RevokedCredential,
  seen: ClientInfo,
): Promise<void> {
  const caller = { ...seen, actor, workspaceId, traceparent: null, idempotency: null, handSession: () => {} };
  const action = "credential.used_after_revocation";
  await openCtx(services, caller, services.now).transaction(async (tx) => {
    append(tx, { events: [], audit: [{ action, targetType: kind, targetId: id }] });
  });
}
