import { v7 as uuidv7 } from "uuid";
import { sql } from "../../db/sql.ts";
import type { Approval, Prisma } from "../../db/generated/client.ts";
import { redactCounted, redactText } from "../kernel/redact.ts";
import { hashRequest } from "../gateway-checks/hash-request.ts";
import { type AccessRequest, getTaskId } from "../gateway-checks/parse-request.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import type { AppendContent } from "../kernel/events.ts";
import { jsonProblem } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { parseTraceId } from "../kernel/traceparent.ts";
import type { ApprovalTerms } from "../policies/policy-rule.ts";
import { approvalEvent } from "./approval-event.ts";
import { type Answer, type Question, findAnswer } from "./find-answer.ts";
import { moveApproval } from "./move-approval.ts";

/** A question with how it is to be answered. */
export type NewQuestion = Question & { decisionId: string; terms: ApprovalTerms };

/** Whether people can be asked about a request: it is stored whole, without secrets. */
export function canBeAsked(asked: AccessRequest): boolean {
  return jsonProblem(redactCounted(asked).value, LIMITS.approvalRequestBytes) === null;
}

/**
 * Asks people, unless the same question is open or was answered: then returns that. The workspace and the agent
 * are locked by `lockGateState`.
 *
 * @returns the answer, and what the transaction must append, null if nothing; or the error rate_limited if too
 *   many questions of the agent or the workspace are open.
 */
export async function requestApproval(
  tx: Transaction,
  question: NewQuestion,
): Promise<{ answer: Answer; appended: AppendContent | null } | { error: DomainError }> {
  const known = await findAnswer(tx, question);
  if (known !== null && known.kind !== "stale") return { answer: known, appended: null };
  // Only who creates one waits here, so that their number is exact.
  await tx.run(LOCK_NUMBER, [tx.ctx.workspaceId]);
  const answer = await findAnswer(tx, question);
  if (answer !== null && answer.kind !== "stale") return { answer, appended: null };
  const error = await findRoomError(tx, question);
  if (error !== null) return { error };
  const ended = answer === null ? null : await endStale(tx, answer);
  const { approval, now } = await insert(tx, question);
  const created = {
    events: [approvalEvent("approval.requested", approval)],
    totals: [{ collection: "approvals" as const, to: "pending" }],
  };
  const appended = ended === null ? created : mergeAppends(ended, created);
  return { answer: { kind: "pending", approval, now }, appended };
}

const LOCK_NUMBER = sql`SELECT pg_advisory_xact_lock(hashtextextended('approvals of ' || $1, 0))`;

/** Ends an open question whose time is over, or about which other policies ask than then. */
async function endStale(tx: Transaction, locked: Answer): Promise<AppendContent> {
  const isLate = locked.approval.expiresAt <= locked.now;
  const { appended } = await moveApproval(tx, locked, {
    data: { status: isLate ? "expired" : "cancelled", decidedAt: locked.now },
    event: isLate ? "approval.expired" : "approval.cancelled",
  });
  return appended;
}

async function findRoomError({ run, ctx }: Transaction, { binding }: Question): Promise<DomainError | null> {
  const [open] = await run(COUNT_OPEN, [ctx.workspaceId, binding.agentId]);
  const { ofAgent = 0, ofWorkspace = 0 } = open ?? {};
  if (ofAgent >= LIMITS.pendingApprovalsOfAgent) {
    const message = `People have ${ofAgent} questions of this agent to answer. Cancel some, or wait.`;
    return new DomainError("rate_limited", message);
  }
  if (ofWorkspace < LIMITS.pendingApprovals) return null;
  const message = `People have ${ofWorkspace} questions of this workspace's agents to answer. Try again later.`;
  return new DomainError("rate_limited", message);
}

const COUNT_OPEN = sql<{ ofAgent: number; ofWorkspace: number }>`
SELECT count(*) FILTER (WHERE agent_id = $2::uuid)::int AS "ofAgent", count(*)::int AS "ofWorkspace"
FROM approval WHERE workspace_id = $1::uuid AND status = 'pending'`;

async function insert(tx: Transaction, question: NewQuestion): Promise<{ approval: Approval; now: Date }> {
  const { db, ctx } = tx;
  const { asked, binding, terms, acceptEdits, decisionId } = question;
  const { agentId, askedBy } = binding;
  const { subject, action, resource } = asked;
  const { value, count } = redactCounted(asked);
  const now = await tx.now();
  const isExact = terms.scope === "exact";
  const approval = await db.approval.create({
    data: {
      ...{ workspaceId: ctx.workspaceId, id: uuidv7({ msecs: now.getTime() }), decisionId, agentId },
      ...(subject !== undefined && { subject: { type: subject.type, id: redactText(subject.id) } }),
      action: redactText(action.name),
      resourceType: resource.type,
      resourceId: redactText(resource.id),
      // JSON that was parsed.
      request: value as Prisma.InputJsonObject,
      hiddenValues: count,
      requestHash: Buffer.from(hashRequest(asked, binding), "hex"),
      askedBy: askedBy.map((policy) => ({ ...policy })),
      ...{ role: terms.role, persons: terms.persons, uses: terms.uses, scope: terms.scope },
      // Other arguments could not be told from those of another call, or would replace hidden ones.
      canEdit: terms.edits && acceptEdits && isExact && count === 0,
      validSeconds: terms.validSeconds,
      expiresAt: new Date(now.getTime() + terms.ttlSeconds * 1000),
      taskId: getTaskId(asked),
      traceId: parseTraceId(ctx.traceparent),
      ...{ createdAt: now, updatedAt: now },
    },
  });
  return { approval, now };
}
