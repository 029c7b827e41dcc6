import { FIRST_AUDIT_HASH, auditHash } from "../kernel/events.ts";
import type { AuditEventView } from "./audit-event-view.ts";
import type { AuditPosition } from "./audit-mark.ts";

/**
 * Problems of a row: its content does not match its hash, it is missing, it does not follow the previous
 * row, it is last but not the one in the log's head, it is after the head, or it marks a deletion without a
 * trusted signature.
 */
export type AuditProblem =
  | "changed"
  | "missing"
  | "broken_link"
  | "head_mismatch"
  | "beyond_head"
  | "unproven_deletion";

/** The first invalid row. `id` is null if the row is missing. */
export type BadAuditRow = { seq: number; id: string | null; problem: AuditProblem };

/** A position in the chain. The hash is in hex. */
export type AuditLink = { seq: number; id: string | null; hash: string };

/** The first row of a log, and the hash that it follows; null if there are no rows. */
export type AuditStart = { first: bigint | null; prevHash: string | null };

const BEGINNING: AuditLink = { seq: 0, id: null, hash: Buffer.from(FIRST_AUDIT_HASH).toString("hex") };

/**
 * Returns what the first row must follow. While a deletion is running, some of its rows still exist; the
 * last of them proves all.
 */
export function getStartLink({ first, prevHash }: AuditStart, deleted: AuditPosition | null): AuditLink {
  if (deleted === null) return BEGINNING;
  const { seq, hash } = deleted;
  if (first === null || prevHash === null || Number(first) > seq) return { seq, id: null, hash };
  return Number(first) === 1 ? BEGINNING : { seq: Number(first) - 1, id: null, hash: prevHash };
}

type Before = {
  workspaceId: string;
  /** The position that the row must follow. */
  link: AuditLink;
  /** Up to where the log was or will be deleted. The row at that position must match. */
  deleted: AuditPosition | null;
};

/** Returns the problem of the next row; null if it is valid. */
export function rowProblem({ workspaceId, link, deleted }: Before, row: AuditEventView): BadAuditRow | null {
  const seq = link.seq + 1;
  const { id, prevHash, hash } = row;
  if (Number(row.seq) !== seq) return { seq, id: null, problem: "missing" };
  if (prevHash !== link.hash) return { seq, id, problem: "broken_link" };
  const isOther = deleted?.seq === seq && deleted.hash !== hash;
  return isOther || computeHash(workspaceId, row) !== hash ? { seq, id, problem: "changed" } : null;
}

export function toAuditLink({ seq, id, hash }: AuditEventView): AuditLink {
  return { seq: Number(seq), id, hash };
}

/** Null for content that can't be expressed in canonical JSON and so was never written. */
function computeHash(workspaceId: string, row: AuditEventView): string | null {
  const { prevHash, hash: _hash, seq, createdAt, ...fields } = row;
  try {
    const written = { ...fields, workspaceId, seq: Number(seq), createdAt: createdAt.toISOString() };
    return auditHash(prevHash, written);
  } catch {
    return null;
  }
}
