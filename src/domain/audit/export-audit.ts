import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { type AuditEventView, AUDIT_EVENT_COLUMNS } from "./audit-event-view.ts";
import type { AuditCheckpoint } from "./audit-checkpoint.ts";
import { signMark } from "./audit-mark.ts";
import { CHECKPOINT_COLUMNS, type StoredCheckpoint, toCheckpoint } from "./stored-checkpoint.ts";

export type ExportedAuditEvent = ReturnType<typeof toEventJson>;

/** The first row, the last row and the last checkpoint at the start of the export. */
type Ends = { first: bigint; seq: bigint; hash: string; number: bigint };

const BATCH = 500;

/**
 * Reads the workspace's whole audit log in batches: checkpoints of deleted rows, then the rows in order,
 * each checkpoint after the row that it signs. Rows that are added meanwhile are left out. After everything
 * was read, the export is recorded in the log, signed if there is a key: exported rows may be deleted after
 * the retention period.
 *
 * @throws {DomainError} forbidden below admin; not_found.
 */
export async function* exportAudit(ctx: Ctx): AsyncGenerator<(ExportedAuditEvent | AuditCheckpoint)[]> {
  requireRole(ctx, "admin");
  const [ends] = await ctx.read(ENDS, [ctx.workspaceId]);
  if (ends === undefined) throw createNotFoundError("workspace");
  let number = 0n;
  for (;;) {
    const signed = await readCheckpoints(ctx, { after: number, until: ends.number, seq: ends.first - 1n });
    if (signed.length === 0) break;
    yield signed.map(toCheckpoint);
    number = signed.at(-1)?.number ?? number;
  }
  let after = 0n;
  for (;;) {
    const rows = await ctx.read(ROWS, [ctx.workspaceId, `${after}`, `${ends.seq}`]);
    const last = rows.at(-1);
    // After the last row come the checkpoints of missing rows.
    const signed = await readCheckpoints(ctx, { after: number, until: ends.number, seq: last?.seq ?? null });
    if (last === undefined && signed.length === 0) break;
    yield merge(ctx, rows, signed);
    [after, number] = [last?.seq ?? after, signed.at(-1)?.number ?? number];
  }
  await noteExport(ctx, ends);
}

/** Records in the log how far it was exported. */
async function noteExport(ctx: Ctx, { seq, hash, number }: Ends): Promise<void> {
  const { workspaceId, services } = ctx;
  const { auditSigner: signer } = services;
  const action = "audit.exported";
  const place = { seq: Number(seq), hash, checkpoint: Number(number) };
  const changes = signer === null ? place : signMark(signer, { workspaceId, action }, place);
  await ctx.transaction(async (tx) => {
    append(tx, {
      events: [],
      audit: [{ action, targetType: "workspace", targetId: workspaceId, changes }],
    });
  });
}

const ENDS = sql<Ends>`
SELECT COALESCE((SELECT min(a.seq) FROM audit_event a WHERE a.workspace_id = h.workspace_id), 1) AS first,
       h.audit_seq AS seq, encode(h.audit_hash, 'hex') AS hash,
       COALESCE((SELECT max(c.number) FROM audit_checkpoint c WHERE c.workspace_id = h.workspace_id), 0) AS number
FROM workspace_head h WHERE h.workspace_id = $1::uuid`;

const ROWS = sql<AuditEventView>`
SELECT ${AUDIT_EVENT_COLUMNS} FROM audit_event a
WHERE a.workspace_id = $1::uuid AND a.seq > $2::bigint AND a.seq <= $3::bigint ORDER BY a.seq LIMIT ${BATCH}`;

/** Checkpoints between two numbers, of rows up to `seq`; null for all rows. */
async function readCheckpoints(
  ctx: Ctx,
  { after, until, seq }: { after: bigint; until: bigint; seq: bigint | null },
): Promise<StoredCheckpoint[]> {
  const values = [ctx.workspaceId, `${after}`, `${until}`, seq === null ? null : `${seq}`];
  return ctx.read(CHECKPOINTS, values);
}

const CHECKPOINTS = sql<StoredCheckpoint>`
SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint c
WHERE c.workspace_id = $1::uuid AND c.number > $2::bigint AND c.number <= $3::bigint
  AND ($4::bigint IS NULL OR c.seq <= $4::bigint) ORDER BY c.number LIMIT ${BATCH}`;

function merge({ workspaceId }: Ctx, rows: readonly AuditEventView[], signed: readonly StoredCheckpoint[]) {
  const events = rows.map((row) => toEventJson(workspaceId, row));
  // The sort is stable: an event comes before its checkpoint.
  return [...events, ...signed.map(toCheckpoint)].toSorted((a, b) => a.seq - b.seq);
}

function toEventJson(workspaceId: string, row: AuditEventView) {
  return {
    type: "audit_event" as const,
    workspace_id: workspaceId,
    seq: Number(row.seq),
    id: row.id,
    actor: row.actor,
    action: row.action,
    target_type: row.targetType,
    target_id: row.targetId,
    ip: row.ip,
    user_agent: row.userAgent,
    request_id: row.requestId,
    changes: row.changes,
    created_at: row.createdAt.toISOString(),
    prev_hash: row.prevHash,
    hash: row.hash,
  };
}
