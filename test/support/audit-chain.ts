import { createHash } from "node:crypto";
import type { TestDatabase } from "./database.ts";

type AuditRecord = {
  id: string;
  workspace_id: string;
  seq: string;
  actor: unknown;
  action: string;
  target_type: string;
  target_id: string;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  changes: unknown;
  prev_hash: Buffer;
  hash: Buffer;
  created_at: Date;
};

const FIRST = "0".repeat(64);

/**
 * Verifies a workspace's audit log by its hashes, independently of the service's code.
 *
 * @returns the number of rows, and the seq at which the chain is broken or null. A chain that ends elsewhere than its
 *   head says is broken after its last row.
 */
export async function checkAuditChain(
  { query }: TestDatabase,
  workspaceId: string,
): Promise<{ rows: number; brokenAt: number | null }> {
  const rows = await query<AuditRecord>("SELECT * FROM audit_event WHERE workspace_id = $1 ORDER BY seq", [
    workspaceId,
  ]);
  let prev = FIRST;
  for (const [index, row] of rows.entries()) {
    const seq = index + 1;
    const whole = Number(row.seq) === seq && row.prev_hash.toString("hex") === prev;
    if (!whole || computeHash(prev, row) !== row.hash.toString("hex"))
      return { rows: rows.length, brokenAt: seq };
    prev = row.hash.toString("hex");
  }
  const [head] = await query<{ audit_seq: string; audit_hash: Buffer }>(
    "SELECT audit_seq, audit_hash FROM workspace_head WHERE workspace_id = $1",
    [workspaceId],
  );
  const ends = Number(head?.audit_seq) === rows.length && head?.audit_hash.toString("hex") === prev;
  return { rows: rows.length, brokenAt: ends ? null : rows.length + 1 };
}

function computeHash(prev: string, row: AuditRecord): string {
  const text = jcs({
    id: row.id,
    workspaceId: row.workspace_id,
    seq: Number(row.seq),
    actor: row.actor,
    action: row.action,
    targetType: row.target_type,
    targetId: row.target_id,
    ip: row.ip,
    userAgent: row.user_agent,
    requestId: row.request_id,
    changes: row.changes,
    createdAt: row.created_at.toISOString(),
  });
  return createHash("sha256").update(Buffer.from(prev, "hex")).update(text, "utf8").digest("hex");
}

/** RFC 8785: members sorted by the UTF-16 units of their names, numbers and strings as JSON.stringify writes them. */
function jcs(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jcs).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jcs(member)}`).join(",")}}`;
}
