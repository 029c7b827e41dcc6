import { z } from "zod";
import type { Approval } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createActorRecord } from "../kernel/actor.ts";
import { DomainError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireUser } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { lockApprover, requireApproverRole } from "./lock-approver.ts";
import { getCurrentHash, lockApproval, moveApproval } from "./move-approval.ts";

const shape = z.object({ id: uuid, reason: text(LIMITS.textLength) });

/**
 * Takes an approval back: it can't be used from now on. What it was used for already goes on. Repeating the call
 * changes nothing.
 *
 * @throws {DomainError} forbidden for anybody but people, and below the approval's role; unauthenticated if the
 *   session ended; not_found; validation_failed; invalid_state if it is not approved.
 */
export async function revokeApproval(ctx: Ctx, input: z.input<typeof shape>): Promise<Approval> {
  requireUser(ctx);
  const { id, reason } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const approver = await lockApprover(tx);
    const locked = await lockApproval(tx, id);
    const { status, revokedAt } = locked.approval;
    requireApproverRole(approver, locked.approval);
    if (revokedAt !== null) return locked.approval;
    if (status !== "approved") {
      throw new DomainError("invalid_state", `Only what was approved can be revoked: this is ${status}.`, {
        currentStatus: status,
        allowed: ["approved"],
      });
    }
    const { approval, appended } = await moveApproval(tx, locked, {
      data: { revokedAt: locked.now, revokedBy: createActorRecord(ctx.actor), revokedReason: reason },
      event: "approval.revoked",
      audit: {
        action: "approval.revoked",
        changes: { request_hash: getCurrentHash(locked.approval), reason },
      },
    });
    append(tx, appended);
    return approval;
  });
}
