import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { type LockedApproval, lockApproval, moveApproval } from "./move-approval.ts";

/** A command or mission as it was read before it is locked. */
type ReadOrder = { status: string; approvalId: string | null };

/** Locks the approval that an order waits for, which comes before the order. Null if it waits for none. */
export async function lockApprovalOfOrder(
  tx: Transaction,
  order: ReadOrder | null,
): Promise<LockedApproval | null> {
  const approvalId = order?.status === "awaiting_approval" ? order.approvalId : null;
  return approvalId === null ? null : lockApproval(tx, approvalId);
}

/** Cancels the question about an order that was canceled. @returns what the transaction must append. */
export async function cancelApprovalOfOrder(
  tx: Transaction,
  locked: LockedApproval | null,
): Promise<AppendContent> {
  if (locked?.approval.status !== "pending") return { events: [] };
  const data = { status: "cancelled" as const, decidedAt: locked.now };
  return (await moveApproval(tx, locked, { data, event: "approval.cancelled" })).appended;
}
