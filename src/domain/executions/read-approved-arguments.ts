import type { Ctx } from "../kernel/context.ts";

/** The arguments that approvers put in place of those that were asked for, and the hash of the request with them. */
export type ApprovedArguments = { value: unknown; requestHash: Uint8Array };

/** Reads the arguments of approvals whose executions the caller has already read: of those that were changed. */
export async function readApprovedArguments(
  ctx: Ctx,
  approvalIds: readonly string[],
): Promise<ReadonlyMap<string, ApprovedArguments>> {
  const approvals = await ctx.db.approval.findMany({
    where: { id: { in: [...approvalIds] } },
    select: { id: true, editedArguments: true, editedHash: true },
  });
  return new Map(
    approvals.flatMap(({ id, editedArguments: value, editedHash: requestHash }) =>
      requestHash === null ? [] : [[id, { value, requestHash }]],
    ),
  );
}
