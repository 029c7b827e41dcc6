import canonicalize from "canonicalize";
import { createHash } from "node:crypto";
import type { ActorRecord } from "./actor.ts";
import type { Revocation } from "./revocation.ts";

/** The collections whose totals are kept. */
export const COLLECTIONS = [
  "users",
  "groups",
  "agents",
  "messages",
  "tasks",
  "eval_runs",
  "agent_commands",
  "robots",
  "missions",
] as const;

/** One of {@link COLLECTIONS}. */
export type Collection = (typeof COLLECTIONS)[number];

/** Something that happened to one row: `data` holds ids, the generation and the scalars that changed. */
export type EventInput = {
  /** `<subject>.<what happened>`, such as `task.created`. */
  type: string;
  subjectType: string;
  subjectId: string;
  agentId?: string | null;
  data?: Record<string, unknown>;
  /** The caller where it is left out. */
  actor?: ActorRecord;
  /** Now where it is left out: only what tells of the past says so. */
  at?: Date;
};

/** One row that came (`to`), went (`from`) or moved between statuses; null where the collection has none. */
export type TotalChange = { collection: Collection; from?: string | null; to?: string | null };

/** A conversation whose messages changed, and by how many they became more. */
export type ConversationChange = { contextId: string; messages: number };

/** An act for the audit trail. `changes` must hold no secret. */
export type AuditInput = {
  action: string;
  targetType: string;
  targetId: string;
  changes?: Record<string, unknown>;
};

/** What a transaction tells at its end. */
export type AppendContent = {
  events: EventInput[];
  totals?: TotalChange[];
  conversations?: ConversationChange[];
  audit?: AuditInput[];
  revocations?: Revocation[];
};

/** The same, and whether it takes effect before its events can be written, as what revokes something always does. */
export type AppendBatch = AppendContent & { isUrgent?: boolean };

/** An audit row without its place in the chain. */
export type AuditChainRow = {
  id: string;
  workspaceId: string;
  seq: number;
  actor: unknown;
  action: string;
  targetType: string;
  targetId: string;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
  changes: unknown;
  createdAt: string;
};

/** The hash before the first audit row of a workspace. */
export const FIRST_AUDIT_HASH = new Uint8Array(32);

/**
 * Takes note of what happened, for the end of the transaction: its last statements write the events in the
 * workspace's order, the collections' totals and versions, conversations, audit rows in their chain, and revocations.
 *
 * @see appendStatements
 */
export function append({ appended }: { appended: AppendBatch[] }, batch: AppendBatch): void {
  appended.push(batch);
}

/**
 * The hash that chains an audit row to the one before it.
 *
 * @returns SHA-256 over the earlier hash and the row's canonical JSON, as hex.
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function auditHash(prevHash: string, row: AuditChainRow): string {
  return createHash("sha256")
    .update(Buffer.from(prevHash, "hex"))
    .update(canonicalize(row) ?? "")
    .digest("hex");
}
