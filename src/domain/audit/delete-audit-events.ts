import { NOW, sql } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { type AuditStart, toAuditLink, rowProblem, getStartLink } from "./audit-chain.ts";
import { type AuditEventView, AUDIT_EVENT_COLUMNS } from "./audit-event-view.ts";
import { type AuditPosition, signMark, parseTrustedMark } from "./audit-mark.ts";
import { type AuditSigner, isSigned } from "./signature.ts";
import { CHECKPOINT_COLUMNS, type StoredCheckpoint, toCheckpoint } from "./stored-checkpoint.ts";

/** Rows per transaction, which are verified in one turn of the event loop: few, so that nobody waits long. */
const BATCH = 250;
/** Each deletion adds a row, so a day's rows are deleted at once. */
const IS_DUE = `f.created_at <= ${NOW} - make_interval(days => w.audit_retention_days + 1)`;

/** Selects the workspaces whose audit log starts with rows beyond retention. */
export const AUDIT_EVENTS_DUE = sql<{ id: string }>`
SELECT w.id FROM workspace w
JOIN LATERAL (SELECT created_at FROM audit_event a WHERE a.workspace_id = w.id ORDER BY a.seq LIMIT 1) f ON true
WHERE ${IS_DUE}`;

/** The first row of a log, and the latest records of a deletion and an export. */
type Log = AuditStart & { isDue: boolean; deletion: unknown; exported: unknown };
type FoundCheckpoint = StoredCheckpoint & { rowHash: string; exportedHash: string };

/**
 * Deletes the first rows of the workspace's audit log, at most one batch: up to a signed checkpoint that is
 * older than the retention period and covered by a signed export. Adds a signed row that records the
 * deletion, from which verifyAudit continues. Deletes nothing of a log that was changed.
 *
 * @returns the number of deleted rows.
 */
export async function deleteAuditEvents(ctx: Ctx, signer: AuditSigner): Promise<number> {
  const { workspaceId } = ctx;
  return ctx.transaction(async (tx) => {
    // Another node is deleting, or the log is now kept for ever.
    if ((await tx.run(LOCK, [workspaceId])).length === 0) return 0;
    const [log] = await tx.run(LOG, [workspaceId]);
    if (log === undefined) return 0;
    const whose = { workspaceId, action: "audit.deleted" } as const;
    const deleted = parseTrustedMark(log.deletion, whose, signer.trusted);
    if (log.deletion !== null && deleted === null)
      return skipDeletion(ctx, "its last deletion is not signed");
    if (deleted !== null && Number(log.first) <= deleted.seq) {
      return deleteRows(tx, log, { deleted, until: deleted });
    }
    const until = log.isDue ? await findEnd(tx, log, signer) : null;
    if (until === null) return 0;
    const count = await deleteRows(tx, log, { deleted, until });
    if (count > 0) {
      const changes = signMark(signer, whose, until);
      const audit = { action: whose.action, targetType: "workspace", targetId: workspaceId, changes };
      append(tx, { events: [], audit: [audit] });
    }
    return count;
  });
}

const LOCK = sql`
SELECT 1 AS locked FROM workspace WHERE id = $1::uuid AND audit_retention_days IS NOT NULL
FOR NO KEY UPDATE SKIP LOCKED`;

const LOG = sql<Log>`
SELECT f.seq AS first, encode(f.prev_hash, 'hex') AS "prevHash", ${IS_DUE} AS "isDue",
       ${buildNewestSql("audit.deleted")} AS deletion, ${buildNewestSql("audit.exported")} AS exported
FROM workspace w
JOIN LATERAL (
  SELECT seq, prev_hash, created_at FROM audit_event a WHERE a.workspace_id = w.id ORDER BY a.seq LIMIT 1
) f ON true
WHERE w.id = $1::uuid`;

function buildNewestSql(action: string): string {
  return `(SELECT a.changes FROM audit_event a WHERE a.workspace_id = w.id AND a.action = '${action}'
    ORDER BY a.seq DESC LIMIT 1)`;
}

/** Returns up to where the log may be deleted; null if nothing may be. */
async function findEnd(tx: Transaction, log: Log, signer: AuditSigner): Promise<AuditPosition | null> {
  const { ctx } = tx;
  const whose = { workspaceId: ctx.workspaceId, action: "audit.exported" } as const;
  const exported = parseTrustedMark(log.exported, whose, signer.trusted);
  if (exported === null) return null;
  const values = [ctx.workspaceId, [...signer.trusted], exported.seq, log.first];
  const [found] = await tx.run(CHECKPOINT, values);
  if (found === undefined) return null;
  const checkpoint = toCheckpoint(found);
  const { seq, hash, number } = checkpoint;
  if (isSigned(checkpoint) && hash === found.rowHash && exported.hash === found.exportedHash)
    return { seq, hash, checkpoint: number };
  skipDeletion(ctx, `it differs from what was signed or exported, or checkpoint ${number} does`);
  return null;
}

/** The newest checkpoint that is old enough and was exported. */
const CHECKPOINT = sql<FoundCheckpoint>`
SELECT ${CHECKPOINT_COLUMNS}, encode(a.hash, 'hex') AS "rowHash", encode(x.hash, 'hex') AS "exportedHash"
FROM workspace w
JOIN audit_checkpoint c ON c.workspace_id = w.id
  AND c.created_at <= ${NOW} - make_interval(days => w.audit_retention_days)
JOIN audit_event a ON a.workspace_id = w.id AND a.seq = c.seq
JOIN audit_event x ON x.workspace_id = w.id AND x.seq = $3::bigint
WHERE w.id = $1::uuid AND c.key = ANY($2::text[]) AND c.seq <= $3::bigint AND c.seq >= $4::bigint
ORDER BY c.created_at DESC, c.number DESC LIMIT 1`;

/** Deletes a batch of rows up to a position, if they and the row after them are unchanged. */
async function deleteRows(
  tx: Transaction,
  log: Log,
  { deleted, until }: { deleted: AuditPosition | null; until: AuditPosition },
): Promise<number> {
  const { workspaceId } = tx.ctx;
  const rows = await tx.run(ROWS, [workspaceId]);
  let link = getStartLink(log, deleted);
  for (const row of rows) {
    const bad = rowProblem({ workspaceId, link, deleted: until }, row);
    if (bad !== null) return skipDeletion(tx.ctx, `its row ${bad.seq} is invalid (${bad.problem})`);
    link = toAuditLink(row);
  }
  const old = rows.slice(0, BATCH).filter(({ seq }) => Number(seq) <= until.seq);
  await tx.run(DELETE, [workspaceId, `${old.at(-1)?.seq ?? 0n}`]);
  return old.length;
}

const ROWS = sql<AuditEventView>`SELECT ${AUDIT_EVENT_COLUMNS} FROM audit_event a WHERE a.workspace_id = $1::uuid ORDER BY a.seq LIMIT ${BATCH + 1}`;

const DELETE = sql`DELETE FROM audit_event WHERE workspace_id = $1::uuid AND seq <= $2::bigint`;

function skipDeletion({ log, workspaceId }: Ctx, why: string): 0 {
  log.error({ workspaceId }, `the audit log is not deleted: ${why}; run audit verify for details`);
  return 0;
}
