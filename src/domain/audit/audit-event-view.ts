import type { ActorRecord } from "../kernel/actor.ts";

export type AuditEventView = {
  id: string;
  /** Its number in the workspace's log, from 1 and without gaps. */
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
  /** SHA-256 in hex. Before the first row it is all zeros. */
  prevHash: string;
  hash: string;
};

/** The columns of an AuditEventView, for a SELECT from the log named `a`. */
export const AUDIT_EVENT_COLUMNS = `
  a.id, a.seq, a.actor, a.action, a.target_type AS "targetType", a.target_id AS "targetId", a.ip,
  a.user_agent AS "userAgent", a.request_id AS "requestId", a.changes, a.created_at AS "createdAt",
  encode(a.prev_hash, 'hex') AS "prevHash", encode(a.hash, 'hex') AS hash`;
