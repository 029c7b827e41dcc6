import type { ActorRecord } from "../kernel/actor.ts";

/** A row of the audit log. */
export type AuditEventView = {
  id: string;
  /** Its place in the workspace's log, from 1 on and without a hole. */
  seq: bigint;
  actor: ActorRecord;
  action: string;
  targetType: string;
  targetId: string;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
  changes: Record<string, unknown>;
  createdAt: Date;
  /** SHA-256 as hex; the one before the first row is all zeros. */
  prevHash: string;
  hash: string;
};

/** What a SELECT of the log's rows, named `a`, reads of them. */
export const AUDIT_EVENT_COLUMNS = `
  a.id, a.seq, a.actor, a.action, a.target_type AS "targetType", a.target_id AS "targetId", a.ip,
  a.user_agent AS "userAgent", a.request_id AS "requestId", a.changes, a.created_at AS "createdAt",
  encode(a.prev_hash, 'hex') AS "prevHash", encode(a.hash, 'hex') AS hash`;
