import { TABLES, selectList } from "../../db/columns.ts";
import type { Approval } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import { type Binding, hashRequest } from "../gateway-checks/hash-request.ts";
import type { AccessRequest } from "../gateway-checks/parse-request.ts";
import type { Transaction } from "../kernel/context.ts";
import { requireAgent } from "../kernel/guard.ts";
import { areAmong } from "./find-approved-request.ts";
import { isApprovedBySql } from "./same-person-sql.ts";

/** What an agent asks people. `issuerIds` are those who don't decide, by `findIssuers`. */
export type Question = {
  asked: AccessRequest;
  binding: Binding;
  acceptEdits: boolean;
  issuerIds: readonly string[];
};

/** What people said to a question; `stale` if it is open but can't be answered any more. */
export type Answer = { kind: "approved" | "denied" | "pending" | "stale"; approval: Approval; now: Date };

/** The most answers to the same question that still count: newer ones replace older ones. */
const MOST = 10;

/**
 * Finds the newest answer to a question of the calling agent that still counts, and locks it: an approval that can be
 * used and was given by nobody whose work it is now, a denial or revocation for as long as an approval would be valid,
 * or the question itself if it is open. What people say about a command or a mission is for that one alone.
 */
export async function findAnswer({ run, ctx }: Transaction, question: Question): Promise<Answer | null> {
  const { asked, binding, issuerIds } = question;
  const hash = Buffer.from(hashRequest(asked, binding), "hex");
  const { lineageId } = requireAgent(ctx).credential;
  const rows = await run(FIND, [ctx.workspaceId, binding.agentId, hash, lineageId, issuerIds]);
  for (const { $now: now, ...approval } of rows) {
    const kind = getKind(approval, question, now);
    if (kind !== null) return { kind, approval, now };
  }
  return null;
}

function getKind(approval: Approval, { binding, acceptEdits }: Question, now: Date): Answer["kind"] | null {
  const { status, revokedAt, expiresAt, editedHash } = approval;
  const isAnswered = areAmong(binding.askedBy, approval);
  if (status === "pending") return isAnswered && expiresAt > now ? "pending" : "stale";
  if (status === "denied" || revokedAt !== null) return "denied";
  return isAnswered && (editedHash === null || acceptEdits) ? "approved" : null;
}

const VALIDITY = "make_interval(secs => a.valid_seconds)";

const FIND = sql<Approval & { $now: Date }>`
SELECT ${selectList("a", TABLES.approval)}, at.now AS "$now"
FROM approval a, (SELECT date_trunc('milliseconds', ${NOW}) AS now) AS at
WHERE a.workspace_id = $1::uuid AND a.agent_id = $2::uuid AND a.request_hash = $3::bytea AND a.lineage_id = $4::uuid
  AND a.command_id IS NULL AND a.mission_id IS NULL AND (
  a.status = 'pending'
  OR a.status = 'approved' AND a.revoked_at IS NULL AND a.approved_until > at.now AND a.used_count < a.uses
    AND NOT ${isApprovedBySql("a", "$5")}
  OR COALESCE(a.revoked_at, CASE WHEN a.status = 'denied' THEN a.decided_at END) > at.now - ${VALIDITY})
ORDER BY a.created_at DESC, a.id DESC LIMIT ${MOST} FOR NO KEY UPDATE OF a`;
