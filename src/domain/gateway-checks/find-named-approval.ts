import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { requireAgent } from "../kernel/guard.ts";
import { isObject } from "../kernel/is-object.ts";
import { uuid } from "../kernel/input.ts";
import type { AccessRequest } from "./parse-request.ts";

/** The approval that a request names; `isUnverifiable` if it names one that the caller doesn't have. */
export type NamedApproval = { approvalId: string | null; isUnverifiable: boolean };

const NONE: NamedApproval = { approvalId: null, isUnverifiable: false };
const UNVERIFIABLE: NamedApproval = { approvalId: null, isUnverifiable: true };

/**
 * Reads the approval that a request names as `context.approval.id`. With `reevaluates`, also whether the caller has
 * it: its `state` would be somebody else's proof, which can't be verified here.
 *
 * @throws {DomainError} validation_failed unless it `reevaluates`.
 */
export async function findNamedApproval(
  ctx: Ctx,
  { context: { approval } }: AccessRequest,
  { callerId, reevaluates }: { callerId: string; reevaluates: boolean },
): Promise<NamedApproval> {
  if (approval === undefined || approval === null) return NONE;
  const members = isObject(approval) ? approval : {};
  const { data: approvalId } = uuid.safeParse(members["id"]);
  if (!reevaluates) {
    if (approvalId !== undefined) return { approvalId, isUnverifiable: false };
    throw createFieldError("request.context.approval.id", "must be a UUID");
  }
  if (approvalId === undefined || Object.hasOwn(members, "state")) return UNVERIFIABLE;
  const [found] = await ctx.read(FIND, [
    ctx.workspaceId,
    approvalId,
    callerId,
    requireAgent(ctx).credential.lineageId,
  ]);
  return found === undefined ? UNVERIFIABLE : { approvalId, isUnverifiable: false };
}

const FIND = sql`SELECT 1 FROM approval WHERE workspace_id = $1::uuid AND id = $2::uuid AND agent_id = $3::uuid
  AND lineage_id = $4::uuid`;
