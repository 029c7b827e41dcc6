import type { Approval } from "../../db/generated/client.ts";

/** What becomes of an order that waited for an approval. */
export type OrderAnswer = {
  /** The command's id, or the mission's. */
  id: string;
  outcome: "approved" | "canceled" | "expired";
  /** The arguments that an approver put in place of its own; null for none. */
  args: Approval["editedArguments"];
  /** Why it ends; null if it was approved. */
  error: { code: string; message: string } | null;
};

/** What an approval that was decided, or ended otherwise, means for the order `id` that waits for it. */
export function toOrderAnswer(
  { status, editedArguments: args }: Approval,
  id: string | null,
  comment: string | null,
): OrderAnswer | [] {
  if (id === null) return [];
  switch (status) {
    case "pending":
      return [];
    case "approved":
      return { id, outcome: "approved", args, error: null };
    case "denied":
      return end(id, "canceled", { code: "approval_denied", message: comment ?? "A person denied it." });
    case "expired":
      return end(id, "expired", { code: "approval_expired", message: "Nobody approved it in time." });
    case "cancelled":
      return end(id, "canceled", {
        code: "approval_cancelled",
        message: "The question to people was cancelled.",
      });
  }
}

function end(
  id: string,
  outcome: "canceled" | "expired",
  error: { code: string; message: string },
): OrderAnswer {
  return { id, outcome, args: null, error };
}

/** Whether an approval is for an order, which it sends: it can't be used for anything else. */
export function isForOrder({ commandId, missionId }: Pick<Approval, "commandId" | "missionId">): boolean {
  return commandId !== null || missionId !== null;
}
