import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireRole } from "../kernel/guard.ts";
import {
  type AuditLink,
  type AuditStart,
  type BadAuditRow,
  toAuditLink,
  rowProblem,
  getStartLink,
} from "./audit-chain.ts";
import { type AuditEventView, AUDIT_EVENT_COLUMNS } from "./audit-event-view.ts";
import { type AuditPosition, parseTrustedMark } from "./audit-mark.ts";

/** The result of verifying an audit log. */
export type AuditVerdict = {
  /** The number of valid rows, from the first that was not deleted. */
  rows: number;
  /** The `seq` of the last valid row. */
  lastSeq: number;
  /** Up to where the log was deleted by retention, according to a trusted signature; null if it was not. */
  deleted: AuditPosition | null;
  /** The problem of the next row; null if there is none. */
  firstBad: BadAuditRow | null;
};

type Ends = AuditStart & {
  /** The last row according to the head, and its hash. */
  seq: bigint;
  hash: string;
  beyond: bigint | null;
  beyondId: string | null;
  /** The newest row that records a deletion. */
  deletion: { seq: number; id: string; changes: unknown } | null;
};

const BATCH = 2000;

/**
 * Verifies the hash chain of the workspace's audit log, from the first row to the head at the start. Blocks
 * nothing. If the first rows were deleted by retention, starts at the position in a trusted signature.
 *
 * @param keys public keys in base64url whose deletions are trusted.
 * @throws {DomainError} forbidden below admin; not_found.
 */
export async function verifyAudit(ctx: Ctx, keys: ReadonlySet<string> = new Set()): Promise<AuditVerdict> {
  requireRole(ctx, "admin");
  let ends = await readEnds(ctx);
  for (;;) {
    const verdict = await verifyBetween(ctx, ends, keys);
    if (verdict.firstBad === null) return verdict;
    const now = await readEnds(ctx);
    // Rows that were deleted meanwhile are not missing.
    if (now.first === ends.first) return verdict;
    ends = now;
  }
}

async function verifyBetween(ctx: Ctx, ends: Ends, keys: ReadonlySet<string>): Promise<AuditVerdict> {
  const { workspaceId } = ctx;
  const { deletion } = ends;
  const deleted =
    deletion && parseTrustedMark(deletion.changes, { workspaceId, action: "audit.deleted" }, keys);
  if (deletion !== null && deleted === null) {
    const { seq, id } = deletion;
    return { rows: 0, lastSeq: 0, deleted, firstBad: { seq, id, problem: "unproven_deletion" } };
  }
  const start = getStartLink(ends, deleted);
  const { link, problem } = await verifyRows(ctx, { start, end: Number(ends.seq), deleted });
  const firstBad = problem ?? headProblem(link, ends);
  const lastSeq = firstBad?.problem === "head_mismatch" ? Math.max(link.seq - 1, start.seq) : link.seq;
  return { rows: lastSeq - start.seq, lastSeq, deleted, firstBad };
}

type Span = { start: AuditLink; end: number; deleted: AuditPosition | null };

async function verifyRows(
  ctx: Ctx,
  { start, end, deleted }: Span,
): Promise<{ link: AuditLink; problem: BadAuditRow | null }> {
  let link = start;
  while (link.seq < end) {
    const rows = await ctx.read(ROWS, [ctx.workspaceId, link.seq, end]);
    // The next row is missing.
    if (rows.length === 0) return { link, problem: { seq: link.seq + 1, id: null, problem: "missing" } };
    for (const row of rows) {
      const problem = rowProblem({ workspaceId: ctx.workspaceId, link, deleted }, row);
      if (problem !== null) return { link, problem };
      link = toAuditLink(row);
    }
  }
  return { link, problem: null };
}

/** Reads both ends of the log at one instant: rows and the head are written together. */
async function readEnds(ctx: Ctx): Promise<Ends> {
  const [ends] = await ctx.read(ENDS, [ctx.workspaceId]);
  if (ends === undefined) throw createNotFoundError("workspace");
  return ends;
}

const ENDS = sql<Ends>`
SELECT h.audit_seq AS seq, encode(h.audit_hash, 'hex') AS hash, f.seq AS first, encode(f.prev_hash, 'hex') AS "prevHash",
       b.seq AS beyond, b.id AS "beyondId", d.deletion
FROM workspace_head h
LEFT JOIN LATERAL (
  SELECT seq, prev_hash FROM audit_event e WHERE e.workspace_id = h.workspace_id ORDER BY e.seq LIMIT 1
) f ON true
LEFT JOIN LATERAL (
  SELECT seq, id FROM audit_event e WHERE e.workspace_id = h.workspace_id AND e.seq > h.audit_seq ORDER BY e.seq LIMIT 1
) b ON true
LEFT JOIN LATERAL (
  SELECT jsonb_build_object('seq', e.seq, 'id', e.id, 'changes', e.changes) AS deletion
  FROM audit_event e
  WHERE e.workspace_id = h.workspace_id AND e.action = 'audit.deleted' AND e.seq <= h.audit_seq
  ORDER BY e.seq DESC LIMIT 1
) d ON true
WHERE h.workspace_id = $1::uuid`;

const ROWS = sql<AuditEventView>`
SELECT ${AUDIT_EVENT_COLUMNS} FROM audit_event a
WHERE a.workspace_id = $1::uuid AND a.seq > $2::bigint AND a.seq <= $3::bigint ORDER BY a.seq LIMIT ${BATCH}`;

function headProblem({ seq, id, hash }: AuditLink, ends: Ends): BadAuditRow | null {
  if (hash !== ends.hash) return { seq, id, problem: "head_mismatch" };
  if (ends.beyond === null) return null;
  return { seq: Number(ends.beyond), id: ends.beyondId, problem: "beyond_head" };
}
