import type { Execution } from "../../db/generated/client.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import { CLOCK, sql } from "../../db/sql.ts";
import { isApprovedBySql } from "../approvals/same-person-sql.ts";
import { redactText } from "../kernel/redact.ts";
import { getTaskId, type AccessRequest } from "../gateway-checks/parse-request.ts";
import type { Transaction } from "../kernel/context.ts";
import { requireAgent } from "../kernel/guard.ts";
import { toOwnTraceId } from "../kernel/server-span.ts";
import type { ParentSpan } from "../tasks/find-parent.ts";

/** What a new execution is of. */
export type NewExecution = {
  id: string;
  decisionId: string;
  request: AccessRequest;
  /** In hex. */
  requestHash: string;
  leaseSeconds: number;
  /** The agent's own name for it, under which it can find it again. */
  sessionKey?: string | null;
  /** Whether the agent says how it ends. */
  isReported?: boolean;
  /** What it begins within. */
  parent: ParentSpan | null;
};

/** Larger in each later execution, and says nothing about other workspaces: the time in microseconds. */
export const FENCE = "floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

const COLUMNS = `workspace_id, id, approval_id, use_number, decision_id, agent_id, credential_id, action,
  resource_type, resource_id, request_hash, fence, lease_seconds, lease_expires_at, session_key, is_reported, task_id, trace_id,
  parent_span_id`;

/** The values of `COLUMNS` after the use of the approval. */
const VALUES = `$3::uuid, $4::uuid, $5::uuid, $6, $7, $8, $9::bytea, ${FENCE}, $10::int,
  ${CLOCK} + make_interval(secs => $10::int), $13, $14::boolean`;

const RETURNED = selectList("e", TABLES.execution);

/** Opens an execution that policies allow without a person. */
export async function openExecution(tx: Transaction, execution: NewExecution): Promise<Execution> {
  const [opened] = await tx.run(OPEN, buildValues(tx, execution));
  if (opened === undefined) throw new Error("the execution was not inserted");
  return opened;
}

const OPEN = sql<Execution>`
INSERT INTO execution AS e (${COLUMNS})
VALUES ($1::uuid, $2::uuid, NULL, NULL, ${VALUES}, $11::uuid, $12, $15) RETURNING ${RETURNED}`;

/** What is used of an approval. */
export type ApprovalUse = {
  approvalId: string;
  /** The hash of what was approved: with an approver's changes. */
  approvedHash: Uint8Array;
  /** The policies that ask for the request today. */
  askedBy: readonly { id: string; generation: number }[];
  /** Whose work it is, and for whom it is done. */
  issuerIds: readonly string[];
};

/**
 * Uses an approval once and opens the execution, with one statement: of any number of callers, no more succeed
 * than the approval has uses.
 *
 * @returns null if the approval can't be used.
 */
export async function openApprovedExecution(
  tx: Transaction,
  execution: NewExecution,
  { approvalId, approvedHash, askedBy, issuerIds }: ApprovalUse,
): Promise<Execution | null> {
  const asking = askedBy.map(({ id, generation }) => ({ id, generation }));
  const use = [approvalId, approvedHash, JSON.stringify(asking), issuerIds];
  const [opened] = await tx.run(OPEN_APPROVED, [...buildValues(tx, execution), ...use]);
  return opened ?? null;
}

/** The condition is checked again on the row as it is when it is locked. */
const OPEN_APPROVED = sql<Execution>`
WITH used AS (
  UPDATE approval SET used_count = used_count + 1, generation = generation + 1,
    updated_at = date_trunc('milliseconds', ${CLOCK})
  WHERE workspace_id = $1::uuid AND id = $16::uuid AND agent_id = $4::uuid AND status = 'approved'
    AND revoked_at IS NULL AND approved_until > ${CLOCK} AND used_count < uses
    AND COALESCE(edited_hash, request_hash) = $17::bytea AND asked_by @> $18::jsonb
    AND NOT ${isApprovedBySql("approval", "$19")}
  RETURNING id, used_count
)
INSERT INTO execution AS e (${COLUMNS})
SELECT $1::uuid, $2::uuid, used.id, used.used_count, ${VALUES}, $11::uuid, $12, $15 FROM used
RETURNING ${RETURNED}`;

function buildValues(
  { ctx }: Transaction,
  { id, decisionId, request, requestHash, leaseSeconds, parent, ...rest }: NewExecution,
): unknown[] {
  const agent = requireAgent(ctx);
  const { sessionKey = null, isReported = true } = rest;
  const { action, resource } = request;
  return [
    ...[ctx.workspaceId, id, decisionId, agent.id, agent.credential.id],
    ...[redactText(action.name), resource.type, redactText(resource.id), toBytes(requestHash), leaseSeconds],
    ...[getTaskId(request), parent?.traceId ?? toOwnTraceId(id), sessionKey, isReported],
    parent?.spanId ?? null,
  ];
}

function toBytes(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}
