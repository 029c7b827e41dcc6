import type { Ctx } from "../context.ts";
import { notFound } from "../errors.ts";
import { FIRST_AUDIT_HASH, auditHash } from "../events.ts";
import { requireRole } from "../guard.ts";
import { type AuditEventView, COLUMNS } from "./audit-event-view.ts";

/**
 * What can be wrong with a row: its content is not what its hash says, it is not there, it does not follow
 * the row before it, it is not what the head of the log says was the last, or it lies behind that.
 */
export type AuditProblem = "changed" | "missing" | "broken_link" | "head_mismatch" | "beyond_head";

/** The first row that is not as it was written. `id` is null where there is no row. */
export type BadAuditRow = { seq: number; id: string | null; problem: AuditProblem };

/** How many rows hold, from the first on, and what is wrong with the next; null where nothing is. */
export type AuditVerdict = { rows: number; firstBad: BadAuditRow | null };

type Head = { seq: bigint; hash: string; beyond: bigint | null; beyondId: string | null };
/** A place in the chain: everything up to it holds. */
type Link = { seq: number; id: string | null; hash: string };

const BATCH = 2000;

/**
 * Holds the workspace's audit log against its hash chain, from the first row to the head as it is at the
 * start. Nothing waits for it.
 *
 * @throws {DomainError} forbidden for less than an admin; not_found.
 */
export async function verifyAudit(ctx: Ctx): Promise<AuditVerdict> {
  requireRole(ctx, "admin");
  const head = await readHead(ctx);
  let link: Link = { seq: 0, id: null, hash: Buffer.from(FIRST_AUDIT_HASH).toString("hex") };
  while (link.seq < Number(head.seq)) {
    const rows = await readBatch(ctx, link, head);
    // What should have come next is not there.
    if (rows.length === 0) return badAt(link, { seq: link.seq + 1, id: null, problem: "missing" });
    for (const row of rows) {
      const problem = problemOf(ctx, link, row);
      if (problem !== null) return badAt(link, problem);
      link = { seq: Number(row.seq), id: row.id, hash: row.hash };
    }
  }
  return badAt(link, headProblem(link, head));
}

function badAt({ seq }: Link, firstBad: BadAuditRow | null): AuditVerdict {
  return { rows: firstBad?.problem === "head_mismatch" ? Math.max(seq - 1, 0) : seq, firstBad };
}

/** The head, and the first row behind it, read in one instant: rows are appended together with the head. */
async function readHead(ctx: Ctx): Promise<Head> {
  const [head] = await ctx.read<Head>(HEAD, [ctx.workspaceId]);
  if (head === undefined) throw notFound("workspace");
  return head;
}

const HEAD = {
  name: "audit_head",
  text: `
SELECT h.audit_seq AS seq, encode(h.audit_hash, 'hex') AS hash, a.seq AS beyond, a.id AS "beyondId"
FROM workspace_head h
LEFT JOIN LATERAL (
  SELECT seq, id FROM audit_event e WHERE e.workspace_id = h.workspace_id AND e.seq > h.audit_seq ORDER BY e.seq LIMIT 1
) a ON true
WHERE h.workspace_id = $1::uuid`,
};

async function readBatch(ctx: Ctx, after: Link, head: Head): Promise<AuditEventView[]> {
  return ctx.read<AuditEventView>(ROWS, [ctx.workspaceId, after.seq, head.seq.toString()]);
}

const ROWS = {
  name: "audit_chain",
  text: `
SELECT ${COLUMNS} FROM audit_event a
WHERE a.workspace_id = $1::uuid AND a.seq > $2::bigint AND a.seq <= $3::bigint ORDER BY a.seq LIMIT ${BATCH}`,
};

function problemOf(ctx: Ctx, link: Link, row: AuditEventView): BadAuditRow | null {
  const seq = link.seq + 1;
  const { id, prevHash, hash } = row;
  if (Number(row.seq) !== seq) return { seq, id: null, problem: "missing" };
  if (prevHash !== link.hash) return { seq, id, problem: "broken_link" };
  return hashOf(ctx, row) === hash ? null : { seq, id, problem: "changed" };
}

/** Null for a content that was never written: it can't be put into canonical JSON. */
function hashOf({ workspaceId }: Ctx, row: AuditEventView): string | null {
  const { prevHash, hash: _hash, seq, createdAt, ...fields } = row;
  try {
    const written = { ...fields, workspaceId, seq: Number(seq), createdAt: createdAt.toISOString() };
    return auditHash(prevHash, written);
  } catch {
    return null;
  }
}

function headProblem({ seq, id, hash }: Link, head: Head): BadAuditRow | null {
  if (hash !== head.hash) return { seq, id, problem: "head_mismatch" };
  if (head.beyond === null) return null;
  return { seq: Number(head.beyond), id: head.beyondId, problem: "beyond_head" };
}
