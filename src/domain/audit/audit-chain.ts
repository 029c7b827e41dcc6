import { FIRST_AUDIT_HASH, auditHash } from "../kernel/events.ts";
import type { AuditEventView } from "./audit-event-view.ts";
import type { AuditPosition } from "./audit-mark.ts";

/**
 * What can be wrong with a row: its content is not what its hash says, it is not there, it does not follow
 * the row before it, it is not what the head of the log says was the last, it lies behind that, or it tells that rows
 * were deleted and no trusted key has signed so.
 */
export type AuditProblem =
  | "changed"
  | "missing"
  | "broken_link"
  | "head_mismatch"
  | "beyond_head"
  | "unproven_deletion";

/** The first row that is not as it was written. `id` is null where there is no row. */
export type BadAuditRow = { seq: number; id: string | null; problem: AuditProblem };

/** A place in the chain: everything up to it holds. The hash is hex. */
export type AuditLink = { seq: number; id: string | null; hash: string };

/** The first row of a log, and what it says it follows; null where there is no row. */
export type AuditStart = { first: bigint | null; prevHash: string | null };

const BEGINNING: AuditLink = { seq: 0, id: null, hash: Buffer.from(FIRST_AUDIT_HASH).toString("hex") };

/**
 * What the first row has to follow, in a log that was deleted up to a place. While the deletion goes on, some of the
 * rows that it is about are still there: the last of them proves them all.
 */
export function getStartLink({ first, prevHash }: AuditStart, deleted: AuditPosition | null): AuditLink {
  if (deleted === null) return BEGINNING;
  const { seq, hash } = deleted;
  if (first === null || prevHash === null || Number(first) > seq) return { seq, id: null, hash };
  return Number(first) === 1 ? BEGINNING : { seq: Number(first) - 1, id: null, hash: prevHash };
}

type Before = {
  workspaceId: string;
  /** The place that the row has to follow. */
  link: AuditLink;
  /** Up to where the log was deleted, or is to be: a row in that place has to be that one. */
  deleted: AuditPosition | null;
};

/** What is wrong with the row that comes next; null where nothing is. */
export function rowProblem({ workspaceId, link, deleted }: Before, row: AuditEventView): BadAuditRow | null {
  const seq = link.seq + 1;
  const { id, prevHash, hash } = row;
  if (Number(row.seq) !== seq) return { seq, id: null, problem: "missing" };
  if (prevHash !== link.hash) return { seq, id, problem: "broken_link" };
  const isOther = deleted?.seq === seq && deleted.hash !== hash;
  return isOther || computeHash(workspaceId, row) !== hash ? { seq, id, problem: "changed" } : null;
}

/** The place of a row. */
export function toAuditLink({ seq, id, hash }: AuditEventView): AuditLink {
  return { seq: Number(seq), id, hash };
}

/** Null for a content that was never written: it can't be put into canonical JSON. */
function computeHash(workspaceId: string, row: AuditEventView): string | null {
  const { prevHash, hash: _hash, seq, createdAt, ...fields } = row;
  try {
    const written = { ...fields, workspaceId, seq: Number(seq), createdAt: createdAt.toISOString() };
    return auditHash(prevHash, written);
  } catch {
    return null;
  }
}
