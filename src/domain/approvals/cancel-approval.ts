import { z } from "zod";
import type { Approval } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { lockApproval, moveApproval, requirePending } from "./move-approval.ts";

const shape = z.object({
  id: uuid,
  /** Whether the call may be repeated. */
  isRepeatable: z.boolean().default(true),
});

/**
 * Takes back the calling agent's question. Repeating the call changes nothing, or is an error unless it is
 * repeatable.
 *
 * @throws {DomainError} insufficient_scope without `gateway:check`; forbidden for anybody but agents; not_found,
 *   also for another agent's; validation_failed; invalid_state if it was decided or has expired.
 */
export async function cancelApproval(ctx: Ctx, input: z.input<typeof shape>): Promise<Approval> {
  requireScope(ctx, "gateway:check");
  const agent = requireAgent(ctx);
  const { id, isRepeatable } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const locked = await lockApproval(tx, id);
    if (locked.approval.agentId !== agent.id) throw createNotFoundError("approval");
    if (isRepeatable && locked.approval.status === "cancelled") return locked.approval;
    requirePending(locked);
    const { approval, appended } = await moveApproval(tx, locked, {
      data: { status: "cancelled", decidedAt: locked.now },
      event: "approval.cancelled",
    });
    append(tx, appended);
    return approval;
  });
}
