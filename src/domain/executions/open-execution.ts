import type { Approval, Execution } from "../../db/generated/client.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import { CLOCK, SOME_WORKSPACE, sql } from "../../db/sql.ts";
import { isApprovedBySql } from "../approvals/same-person-sql.ts";
import { redactText } from "../kernel/redact.ts";
import { getTaskId, type AccessRequest } from "../gateway-checks/parse-request.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
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

/** The columns of a new execution. */
export const EXECUTION_COLUMNS = `workspace_id, id, approval_id, use_number, decision_id, agent_id, credential_id, action,
  resource_type, resource_id, request_hash, fence, lease_seconds, lease_expires_at, session_key, is_reported, task_id, trace_id,
  parent_span_id`;

/** The columns of {@link describeExecution}, for `jsonb_to_recordset`. */
export const DESCRIBED_COLUMNS = `id uuid, "decisionId" uuid, "agentId" uuid, "credentialId" uuid, action text,
  "resourceType" text, "resourceId" text, "requestHash" text, "leaseSeconds" int, "sessionKey" text,
  "isReported" boolean, "taskId" uuid, "traceId" text, "parentSpanId" text`;

/** The values of {@link EXECUTION_COLUMNS} from the described execution `g` in the workspace `$1`. */
export function executionValuesSql(approvalId = "NULL::uuid", useNumber = "NULL::int"): string {
  return `$1::uuid, g.id, ${approvalId}, ${useNumber}, g."decisionId", g."agentId", g."credentialId", g.action,
  g."resourceType", g."resourceId", decode(g."requestHash", 'hex'), ${FENCE}, g."leaseSeconds",
  ${CLOCK} + make_interval(secs => g."leaseSeconds"), g."sessionKey", g."isReported", g."taskId", g."traceId",
  g."parentSpanId"`;
}

const GIVEN = `jsonb_to_recordset($2::jsonb) AS g(${DESCRIBED_COLUMNS})`;

const RETURNED = selectList("e", TABLES.execution);

/** Opens an execution that policies allow without a person. */
export async function openExecution(tx: Transaction, execution: NewExecution): Promise<Execution> {
  const { ctx } = tx;
  const given = JSON.stringify([describeExecution(ctx, execution)]);
  const [opened] = await tx.run(OPEN, [ctx.workspaceId, given]);
  if (opened === undefined) throw new Error("the execution was not inserted");
  return opened;
}

const OPEN = sql<Execution>`
INSERT INTO execution AS e (${EXECUTION_COLUMNS}) SELECT ${executionValuesSql()} FROM ${GIVEN} RETURNING ${RETURNED}`;

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

/** What a use changes of an approval. */
export type UsedApproval = Pick<Approval, "usedCount" | "generation" | "updatedAt">;

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
): Promise<{ execution: Execution; used: UsedApproval } | null> {
  const { ctx } = tx;
  const given = JSON.stringify([describeExecution(ctx, execution)]);
  const asking = JSON.stringify(askedBy.map(({ id, generation }) => ({ id, generation })));
  const { id: agentId } = requireAgent(ctx);
  const use = [approvalId, agentId, approvedHash, asking, issuerIds];
  const [opened] = await tx.run(OPEN_APPROVED, [ctx.workspaceId, given, ...use]);
  if (opened === undefined) return null;
  const { $used: used, ...inserted } = opened;
  return { execution: inserted, used: { ...used, updatedAt: new Date(used.updatedAt) } };
}

/** The condition is checked again on the row as it is when it is locked. */
const OPEN_APPROVED = sql<Execution & { $used: Omit<UsedApproval, "updatedAt"> & { updatedAt: string } }>`
WITH used AS (
  UPDATE approval SET used_count = used_count + 1, generation = generation + 1,
    updated_at = date_trunc('milliseconds', ${CLOCK})
  WHERE workspace_id = ${SOME_WORKSPACE} AND id = $3::uuid AND agent_id = $4::uuid AND status = 'approved'
    AND revoked_at IS NULL AND approved_until > ${CLOCK} AND used_count < uses
    AND COALESCE(edited_hash, request_hash) = $5::bytea AND asked_by @> $6::jsonb
    AND NOT ${isApprovedBySql("approval", "$7")}
  RETURNING id, used_count, generation, updated_at
), opened AS (
  INSERT INTO execution (${EXECUTION_COLUMNS})
  SELECT ${executionValuesSql("used.id", "used.used_count")} FROM used, ${GIVEN} RETURNING *
)
SELECT ${RETURNED}, jsonb_build_object('usedCount', u.used_count, 'generation', u.generation, 'updatedAt', u.updated_at)
  AS "$used"
FROM opened e, used u`;

/** Describes an execution of the calling agent, by {@link DESCRIBED_COLUMNS}. */
export function describeExecution(
  ctx: Ctx,
  { request, parent, sessionKey = null, isReported = true, ...opened }: NewExecution,
): object {
  const { action, resource } = request;
  const { id: agentId, credential } = requireAgent(ctx);
  return {
    id: opened.id,
    decisionId: opened.decisionId,
    agentId,
    credentialId: credential.id,
    action: redactText(action.name),
    resourceType: resource.type,
    resourceId: redactText(resource.id),
    requestHash: opened.requestHash,
    leaseSeconds: opened.leaseSeconds,
    sessionKey,
    isReported,
    taskId: getTaskId(request),
    traceId: parent?.traceId ?? toOwnTraceId(opened.id),
    parentSpanId: parent?.spanId ?? null,
  };
}
