import type { Ctx } from "../context.ts";
import { notFound } from "../errors.ts";
import { requireRole } from "../guard.ts";
import { type AuditEventView, COLUMNS } from "./audit-event-view.ts";
import type { AuditCheckpoint } from "./audit-checkpoint.ts";
import { CHECKPOINT_COLUMNS, type StoredCheckpoint, checkpointOf } from "./stored-checkpoint.ts";

/** A row of the audit log as it is exported. */
export type ExportedAuditEvent = ReturnType<typeof eventJson>;

/** How far the log and its checkpoints went when the export began. */
type End = { seq: bigint; number: bigint };

const BATCH = 500;

/**
 * Reads the workspace's whole audit log, a batch at a time: its rows in their order, each checkpoint behind
 * the row that it signs. What comes meanwhile is left to the next export.
 *
 * @throws {DomainError} forbidden for less than an admin; not_found.
 */
export async function* exportAudit(ctx: Ctx): AsyncGenerator<(ExportedAuditEvent | AuditCheckpoint)[]> {
  requireRole(ctx, "admin");
  const [end] = await ctx.read<End>(END, [ctx.workspaceId]);
  if (end === undefined) throw notFound("workspace");
  let [after, number] = [0n, 0n];
  for (;;) {
    const rows = await ctx.read<AuditEventView>(ROWS, [ctx.workspaceId, `${after}`, `${end.seq}`]);
    const last = rows.at(-1);
    // Behind the last row come the checkpoints that sign rows which are gone.
    const until = last === undefined ? null : `${last.seq}`;
    const signed = await ctx.read<StoredCheckpoint>(CHECKPOINTS, [
      ...[ctx.workspaceId, `${number}`, `${end.number}`, until],
    ]);
    if (last === undefined && signed.length === 0) return;
    yield merge(ctx, rows, signed);
    [after, number] = [last?.seq ?? after, signed.at(-1)?.number ?? number];
  }
}

const END = {
  name: "audit_export_end",
  text: `
SELECT h.audit_seq AS seq, COALESCE(max(c.number), 0) AS number
FROM workspace_head h LEFT JOIN audit_checkpoint c ON c.workspace_id = h.workspace_id
WHERE h.workspace_id = $1::uuid GROUP BY h.audit_seq`,
};

const ROWS = {
  name: "audit_export_rows",
  text: `
SELECT ${COLUMNS} FROM audit_event a
WHERE a.workspace_id = $1::uuid AND a.seq > $2::bigint AND a.seq <= $3::bigint ORDER BY a.seq LIMIT ${BATCH}`,
};

const CHECKPOINTS = {
  name: "audit_export_checkpoints",
  text: `
SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint c
WHERE c.workspace_id = $1::uuid AND c.number > $2::bigint AND c.number <= $3::bigint
  AND ($4::bigint IS NULL OR c.seq <= $4::bigint) ORDER BY c.number LIMIT ${BATCH}`,
};

function merge({ workspaceId }: Ctx, rows: readonly AuditEventView[], signed: readonly StoredCheckpoint[]) {
  const events = rows.map((row) => eventJson(workspaceId, row));
  // Stable: of an event and a checkpoint of one place, the event stands first.
  return [...events, ...signed.map(checkpointOf)].toSorted((a, b) => a.seq - b.seq);
}

function eventJson(workspaceId: string, row: AuditEventView) {
  return {
    type: "audit_event" as const,
    ...{ workspace_id: workspaceId, seq: Number(row.seq), id: row.id, actor: row.actor, action: row.action },
    ...{ target_type: row.targetType, target_id: row.targetId, ip: row.ip, user_agent: row.userAgent },
    ...{ request_id: row.requestId, changes: row.changes, created_at: row.createdAt.toISOString() },
    ...{ prev_hash: row.prevHash, hash: row.hash },
  };
}
