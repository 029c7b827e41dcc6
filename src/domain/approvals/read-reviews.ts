import type { Prisma } from "../../db/generated/client.ts";
import type { ApprovalVerdict } from "../../db/generated/enums.ts";
import { SOME_WORKSPACE, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";

/** One person's answer. */
export type Review = {
  approvalId: string;
  by: Prisma.JsonValue;
  verdict: ApprovalVerdict;
  comment: string | null;
  /** Whether it is about the arguments that the approval is for: approvers may have changed them since. */
  isCurrent: boolean;
  createdAt: Date;
};

/** Reads people's answers to approvals that the caller has already read, oldest first. */
export async function readReviews(ctx: Ctx, approvalIds: string[]): Promise<ReadonlyMap<string, Review[]>> {
  const byId = new Map<string, Review[]>(approvalIds.map((id) => [id, []]));
  const reviews = await ctx.read(REVIEWS, [ctx.workspaceId, approvalIds]);
  for (const review of reviews) byId.get(review.approvalId)?.push(review);
  return byId;
}

const REVIEWS = sql<Review>`
SELECT r.approval_id AS "approvalId", r.by, r.verdict::text, r.comment, r.created_at AS "createdAt",
  r.request_hash = COALESCE(a.edited_hash, a.request_hash) AS "isCurrent"
FROM approval a JOIN approval_review r ON r.workspace_id = a.workspace_id AND r.approval_id = a.id
WHERE a.workspace_id = ${SOME_WORKSPACE} AND a.id = ANY($2::uuid[]) ORDER BY r.created_at, r.user_id`;
