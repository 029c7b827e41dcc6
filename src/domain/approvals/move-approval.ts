import { TABLES, selectList } from "../../db/columns.ts";
import type { Approval, Prisma } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import { followApprovals } from "./follow-approvals.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";
import type { AppendContent } from "../kernel/events.ts";
import { type ApprovalEventType, approvalEvent } from "./approval-event.ts";

/** A locked approval, and the time of the transaction. */
export type LockedApproval = { approval: Approval; now: Date };

/** A change of an approval, with its event and, if a person makes it, its audit event. */
export type ApprovalMove = {
  /** The columns to change. `generation` and `updatedAt` change automatically. */
  data: Prisma.ApprovalUncheckedUpdateInput;
  event: ApprovalEventType;
  /** `changes` has no arguments. */
  audit?: { action: string; changes: Record<string, unknown> };
  /** Why a person denies it. */
  comment?: string;
};

/** What a transaction that changes approvals must append. */
export type ApprovalAppendContent = Required<Pick<AppendContent, "events" | "totals" | "audit">>;

/**
 * Locks an approval's row until the transaction ends.
 *
 * @throws {DomainError} not_found.
 */
export async function lockApproval({ run, ctx }: Transaction, id: string): Promise<LockedApproval> {
  const [row] = await run(LOCK, [ctx.workspaceId, id]);
  if (row === undefined) throw createNotFoundError("approval");
  const { $now: now, ...approval } = row;
  return { approval, now };
}

const LOCK = sql<Approval & { $now: Date }>`
SELECT ${selectList("a", TABLES.approval)}, date_trunc('milliseconds', ${NOW}) AS "$now"
FROM approval a WHERE workspace_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE`;

/**
 * Changes a locked approval and increments its generation, with the order that waits for it.
 *
 * @returns the approval, and what to append.
 */
export async function moveApproval(
  tx: Transaction,
  { approval, now }: LockedApproval,
  { data, event, audit, comment }: ApprovalMove,
): Promise<{ approval: Approval; appended: ApprovalAppendContent }> {
  const { db, ctx } = tx;
  const moved = await db.approval.update({
    where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: approval.id } },
    data: { ...data, generation: approval.generation + 1, updatedAt: now },
  });
  const followed = await followApprovals(tx, approval.status === "pending" ? [moved] : [], comment);
  return {
    approval: moved,
    appended: {
      events: [approvalEvent(event, moved), ...followed.events],
      totals: [{ collection: "approvals", from: approval.status, to: moved.status }, ...followed.totals],
      audit: audit === undefined ? [] : [{ ...audit, targetType: "approval", targetId: moved.id }],
    },
  };
}

/** @throws {DomainError} invalid_state unless people can still decide. */
export function requirePending({ approval: { status, expiresAt }, now }: LockedApproval): void {
  const current = status === "pending" && expiresAt <= now ? "expired" : status;
  if (current === "pending") return;
  throw new DomainError("invalid_state", `This approval is not pending any more: it is ${current}.`, {
    currentStatus: current,
    allowed: ["pending"],
  });
}

/** The hash of what is asked for, as approvers changed it, in hex. */
export function getCurrentHash({ editedHash, requestHash }: Pick<Approval, "editedHash" | "requestHash">) {
  return Buffer.from(editedHash ?? requestHash).toString("hex");
}
