import { sql } from "../../db/sql.ts";
import type { Approval } from "../../db/generated/client.ts";
import type { ApprovalVerdict } from "../../db/generated/enums.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import type { Approver } from "./lock-approver.ts";
import { type LockedApproval, getCurrentHash } from "./move-approval.ts";

/** A person's answer; `requestHash` is in hex. */
export type PersonsReview = { verdict: ApprovalVerdict; requestHash: string };

/** Returns a person's answer; null without one. */
export async function findReview(
  { run, ctx }: Transaction,
  approvalId: string,
  userId: string,
): Promise<PersonsReview | null> {
  const [review] = await run(FIND, [ctx.workspaceId, approvalId, userId]);
  return review ?? null;
}

const FIND = sql<PersonsReview>`
SELECT verdict::text, encode(request_hash, 'hex') AS "requestHash" FROM approval_review
WHERE workspace_id = $1::uuid AND approval_id = $2::uuid AND user_id = $3::uuid`;

/** Writes a person's answer, in place of an earlier one to other arguments. The approval is locked. */
export async function writeReview(
  { run, ctx }: Transaction,
  { approval, now }: LockedApproval,
  { approver, verdict, comment }: { approver: Approver; verdict: ApprovalVerdict; comment: string | null },
): Promise<void> {
  const by = JSON.stringify(createActorRecord(ctx.actor));
  const requestHash = approval.editedHash ?? approval.requestHash;
  const review = [by, verdict, comment, requestHash, now];
  await run(WRITE, [ctx.workspaceId, approval.id, approver.id, ...review]);
}

const WRITE = sql`
INSERT INTO approval_review (workspace_id, approval_id, user_id, by, verdict, comment, request_hash, created_at)
VALUES ($1::uuid, $2::uuid, $3::uuid, $4::jsonb, $5::approval_verdict, $6, $7, $8::timestamptz)
ON CONFLICT (workspace_id, approval_id, user_id)
DO UPDATE SET by = EXCLUDED.by, verdict = EXCLUDED.verdict, comment = EXCLUDED.comment,
  request_hash = EXCLUDED.request_hash, created_at = EXCLUDED.created_at`;

/** @throws {DomainError} precondition_failed if a person saw another request than the approval is for. */
export function requireSameRequest(approval: Approval, seenHash: string | null | undefined): void {
  if (seenHash === null || seenHash === undefined) return;
  if (seenHash.toLowerCase() === getCurrentHash(approval)) return;
  throw new DomainError("precondition_failed", "The arguments have changed. Read the approval again.");
}
