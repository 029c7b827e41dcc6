import { z } from "zod";
import type { Approval } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireUser } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { lockApprover, requireApproverRole } from "./lock-approver.ts";
import { getCurrentHash, lockApproval, moveApproval, requirePending } from "./move-approval.ts";
import { findReview, requireSameRequest, writeReview } from "./review.ts";

const shape = z.object({ id: uuid, comment: text(LIMITS.textLength), requestHash: z.string().nullish() });

/**
 * Denies, in the name of the caller: one denial decides. For as long as an approval would be valid, the agent is denied
 * the same without another question. The command that waits for it is canceled. Repeating the call changes nothing.
 *
 * @param input `comment` says why, to the agent. `requestHash` is that of what the person saw.
 * @throws {DomainError} forbidden for anybody but people, and below the approval's role; unauthenticated if the session
 *   ended; not_found; validation_failed; precondition_failed if the request is another one than `requestHash`;
 *   invalid_state if it is not pending.
 */
export async function denyApproval(ctx: Ctx, input: z.input<typeof shape>): Promise<Approval> {
  requireUser(ctx);
  const { id, comment, requestHash } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const approver = await lockApprover(tx);
    const locked = await lockApproval(tx, id);
    requireApproverRole(approver, locked.approval);
    const isDenied = locked.approval.status === "denied";
    if (isDenied && (await findReview(tx, id, approver.id))?.verdict === "deny") return locked.approval;
    requirePending(locked);
    requireSameRequest(locked.approval, requestHash);
    await writeReview(tx, locked, { approver, verdict: "deny", comment });
    const { approval, appended } = await moveApproval(tx, locked, {
      data: { status: "denied", decidedAt: locked.now },
      event: "approval.decided",
      comment,
      audit: {
        action: "approval.denied",
        changes: { request_hash: getCurrentHash(locked.approval), comment },
      },
    });
    append(tx, appended);
    return approval;
  });
}
