import canonicalize from "canonicalize";
import { createHash } from "node:crypto";
import type { ActorRecord } from "./actor.ts";
import type { Revocation } from "./revocation.ts";
import type { ServerSpan } from "./server-span.ts";

/** The collections with stored totals. */
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
  "policies",
  "gateway_entities",
  "approvals",
  "executions",
  "budgets",
  "alert_rules",
  "model_prices",
  "mcp_servers",
  "mcp_tools",
  "mcp_calls",
] as const;

export type Collection = (typeof COLLECTIONS)[number];

/** An event to append. `data` has ids, the generation and changed scalars. */
export type EventInput = {
  /** `<subject>.<what happened>`, such as `task.created`. */
  type: string;
  subjectType: string;
  subjectId: string;
  agentId?: string | null;
  data?: Record<string, unknown>;
  /** Default: the caller. */
  actor?: ActorRecord;
  /** Default: now. Only for events of the past. */
  at?: Date;
  /** The spans that began, changed or ended with it. */
  spans?: readonly ServerSpan[];
};

/**
 * A row that was inserted (`to`), deleted (`from`) or changed its status; null if the collection has no
 * status.
 */
export type TotalChange = { collection: Collection; from?: string | null; to?: string | null };

/** A conversation whose messages changed, and how many were added. */
export type ConversationChange = { contextId: string; messages: number };

/** An audit event to append. `changes` must not contain secrets. */
export type AuditInput = {
  action: string;
  targetType: string;
  targetId: string;
  changes?: Record<string, unknown>;
};

/** What a transaction appends at its end. */
export type AppendContent = {
  events: EventInput[];
  totals?: TotalChange[];
  conversations?: ConversationChange[];
  audit?: AuditInput[];
  /** Those that no event tells. */
  spans?: ServerSpan[];
  revocations?: Revocation[];
};

/** `isUrgent`: takes effect before its events are written. Revocations are always urgent. */
export type AppendBatch = AppendContent & { isUrgent?: boolean };

/** An audit row without its position in the chain. */
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

/** The previous hash of a workspace's first audit row. */
export const FIRST_AUDIT_HASH = new Uint8Array(32);

/**
 * Collects what to append at the end of the transaction, whose last statements write events in the
 * workspace's order, totals and versions of collections, conversations, chained audit rows, and
 * revocations.
 *
 * @see buildAppendStatements
 */
export function append({ appended }: { appended: AppendBatch[] }, batch: AppendBatch): void {
  appended.push(batch);
}

/**
 * Computes the hash that chains an audit row to the previous one.
 *
 * @returns SHA-256 in hex over the previous hash and the row's canonical JSON.
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function auditHash(prevHash: string, row: AuditChainRow): string {
  return createHash("sha256")
    .update(Buffer.from(prevHash, "hex"))
    .update(canonicalize(row) ?? "")
    .digest("hex");
}
