import type { Approval } from "../../db/generated/client.ts";
import type { ApprovalVerdict } from "../../db/generated/enums.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import type { Approver } from "./lock-approver.ts";
import { type LockedApproval, getCurrentHash } from "./move-approval.ts";

/** Returns a person's answer; null without one. */
export async function findReview({ db, ctx }: Transaction, approvalId: string, userId: string) {
  const key = { workspaceId: ctx.workspaceId, approvalId, userId };
  const review = await db.approvalReview.findUnique({ where: { workspaceId_approvalId_userId: key } });
  if (review === null) return null;
  return { verdict: review.verdict, requestHash: Buffer.from(review.requestHash).toString("hex") };
}

/** Writes a person's answer, in place of an earlier one to other arguments. The approval is locked. */
export async function writeReview(
  { db, ctx }: Transaction,
  { approval, now }: LockedApproval,
  { approver, verdict, comment }: { approver: Approver; verdict: ApprovalVerdict; comment: string | null },
): Promise<void> {
  const key = { workspaceId: ctx.workspaceId, approvalId: approval.id, userId: approver.id };
  const requestHash = approval.editedHash ?? approval.requestHash;
  const review = { by: createActorRecord(ctx.actor), verdict, comment, requestHash, createdAt: now };
  await db.approvalReview.upsert({
    where: { workspaceId_approvalId_userId: key },
    create: { ...key, ...review },
    update: review,
  });
}

/** @throws {DomainError} precondition_failed if a person saw another request than the approval is for. */
export function requireSameRequest(approval: Approval, seenHash: string | null | undefined): void {
  if (seenHash === null || seenHash === undefined) return;
  if (seenHash.toLowerCase() === getCurrentHash(approval)) return;
  throw new DomainError("precondition_failed", "The arguments have changed. Read the approval again.");
}
