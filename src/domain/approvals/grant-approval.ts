import { z } from "zod";
import type { Approval } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireUser } from "../kernel/guard.ts";
import { jsonObject, parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { ROLES, isAtLeast } from "../kernel/scopes.ts";
import { applyEdit, prepareEdit } from "./edit-arguments.ts";
import { lockApprover, requireApproverRole } from "./lock-approver.ts";
import {
  type ApprovalMove,
  type LockedApproval,
  getCurrentHash,
  lockApproval,
  moveApproval,
  requirePending,
} from "./move-approval.ts";
import { isForOrder } from "./order-answer.ts";
import { findIssuersOfApproval, requireOtherPerson } from "./require-other-person.ts";
import { isSamePersonSql } from "./same-person-sql.ts";
import { requireValidArguments } from "./require-valid-arguments.ts";
import { type PersonsReview, findReview, requireSameRequest, writeReview } from "./review.ts";

const shape = z.object({
  id: uuid,
  comment: text(LIMITS.textLength).nullish(),
  requestHash: z.string().nullish(),
  arguments: jsonObject(LIMITS.approvalRequestBytes).nullish(),
});

/**
 * Approves, in the name of the caller. Where two people must approve, the approval stays pending after the first. The
 * command that waits for it is queued, the mission assigned. Repeating the call changes nothing.
 *
 * @param input `requestHash` is that of what the person saw, required where approvers can change the arguments.
 *   `arguments` replace those that the agent asked for: earlier approvals of others don't count.
 * @throws {DomainError} forbidden for anybody but people, and below the approval's role; unauthenticated if the session
 *   ended; self_approval for who issued the order or created the task; not_found; validation_failed;
 *   precondition_failed if the request is another one than `requestHash`; invalid_state if it is not pending;
 *   policy_denied, emergency_stop and agent_paused if the agent may not do this with other arguments, or the order may
 *   not be given any more; unavailable if schemas of params can't be checked at the moment; rate_limited as
 *   findIssuers.
 */
export async function grantApproval(ctx: Ctx, input: z.input<typeof shape>): Promise<Approval> {
  requireUser(ctx);
  const { id, arguments: args = null, ...grant } = parseInput(shape, input);
  // Outside the transaction, so that no agent is locked during the check.
  if (args !== null) await requireValidArguments(ctx, id, args);
  return ctx.transaction(async (tx) => {
    // Sent one after the other without waiting, in the order in which they lock.
    const [approver, edit] = await Promise.all([lockApprover(tx), prepareEdit(tx, id, args)]);
    const [locked, before] = await Promise.all([lockApproval(tx, id), findReview(tx, id, approver.id)]);
    requireApproverRole(approver, locked.approval);
    const { data, edited } = edit === null ? unedited(locked) : applyEdit(locked.approval, edit, locked.now);
    const current = { approval: edited, now: locked.now };
    if (isRepeated(locked, getCurrentHash(edited), before)) return locked.approval;
    requirePending(locked);
    if (args === null) requireSeen(locked.approval, grant.requestHash);
    requireSameRequest(locked.approval, grant.requestHash);
    requireApproverRole(approver, edited);
    const issuerIds = await findIssuersOfApproval(tx, edited);
    const [, , count] = await Promise.all([
      requireOtherPerson(tx, issuerIds, approver.id),
      writeReview(tx, current, { approver, verdict: "approve", comment: grant.comment ?? null }),
      countReviews(tx, edited, issuerIds),
    ]);
    const isEnough = count >= edited.persons;
    const move = buildMove(current, { isEnough, isEdited: args !== null, comment: grant.comment ?? null });
    const { approval, appended } = await moveApproval(tx, locked, {
      ...move,
      data: { ...data, ...move.data },
    });
    append(tx, appended);
    return approval;
  });
}

function unedited({ approval }: LockedApproval): ReturnType<typeof applyEdit> {
  return { data: {}, edited: approval };
}

/** Whether the person has approved exactly this already, and nobody has put other arguments in its place since. */
function isRepeated(
  { approval }: LockedApproval,
  grantedHash: string,
  before: PersonsReview | null,
): boolean {
  const isOpen = approval.status === "pending" || approval.status === "approved";
  const isCurrent = getCurrentHash(approval) === grantedHash;
  return isOpen && isCurrent && before?.verdict === "approve" && before.requestHash === grantedHash;
}

/**
 * Where approvers can change the arguments, and change them back, nobody approves them without saying which.
 *
 * @throws {DomainError} validation_failed.
 */
function requireSeen({ canEdit }: Approval, seenHash: string | null | undefined): void {
  if (!canEdit || (seenHash ?? null) !== null) return;
  throw createFieldError("requestHash", "is required: approvers can change the arguments");
}

/** Counts the people who approved this request and still could: it is not about the work of one of them. */
async function countReviews(
  { run, ctx }: Transaction,
  approval: Approval,
  issuerIds: readonly string[],
): Promise<number> {
  const roles = ROLES.filter((role) => isAtLeast(role, approval.role));
  const hash = Buffer.from(getCurrentHash(approval), "hex");
  const [row] = await run(COUNT, [ctx.workspaceId, approval.id, hash, roles, issuerIds]);
  return row?.count ?? 0;
}

const COUNT = sql<{ count: number }>`
SELECT count(*)::int AS count FROM approval_review r
JOIN "user" u ON u.workspace_id = r.workspace_id AND u.id = r.user_id
WHERE r.workspace_id = $1::uuid AND r.approval_id = $2::uuid AND r.verdict = 'approve' AND r.request_hash = $3
  AND u.suspended_at IS NULL AND u.deleted_at IS NULL AND u.role::text = ANY($4::text[])
  AND NOT ${isSamePersonSql("u", "$5")}`;

function buildMove(
  { approval, now }: LockedApproval,
  { isEnough, isEdited, comment }: { isEnough: boolean; isEdited: boolean; comment: string | null },
): ApprovalMove {
  const changes = { request_hash: getCurrentHash(approval), edited: isEdited, comment };
  if (!isEnough) {
    return { data: {}, event: "approval.reviewed", audit: { action: "approval.reviewed", changes } };
  }
  const approvedUntil = new Date(now.getTime() + approval.validSeconds * 1000);
  return {
    data: {
      status: "approved",
      decidedAt: now,
      approvedUntil,
      // It sends the order.
      ...(isForOrder(approval) && { usedCount: 1 }),
    },
    event: "approval.decided",
    audit: { action: "approval.granted", changes },
  };
}
