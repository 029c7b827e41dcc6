import type { Approval, Prisma } from "../../db/generated/client.ts";
import { NO_JSON } from "../../db/no-json.ts";
import { findVerdictProblem } from "../executions/find-use-problem.ts";
import { decideRequest } from "../gateway-checks/decide-request.ts";
import { lockGateState } from "../gateway-checks/gate-state.ts";
import { type AskingPolicy, hashRequest, toAskingPolicy } from "../gateway-checks/hash-request.ts";
import { type AccessRequest, parseRequest } from "../gateway-checks/parse-request.ts";
import type { Transaction } from "../kernel/context.ts";
import { createFieldError, createNotFoundError } from "../kernel/errors.ts";
import { isAtLeast } from "../kernel/scopes.ts";
import type { Verdict } from "../policies/decide.ts";
import { getAskingPolicies, replaceArguments } from "./find-approved-request.ts";

/** A request with an approver's arguments, and what the policies say to it. */
export type Edit = { asked: AccessRequest; args: Record<string, unknown>; verdict: Verdict };

/** The columns of an approval that other arguments change. */
type EditedFields = Pick<
  Approval,
  "askedBy" | "editedHash" | "role" | "persons" | "uses" | "validSeconds" | "expiresAt"
>;

/**
 * Replaces the arguments of what an agent asked for, and asks the policies about them. Locks the workspace and the
 * agent, which come before the approval.
 *
 * @throws {DomainError} not_found; validation_failed; policy_denied, emergency_stop and agent_paused if the
 *   agent may not do this.
 */
export async function prepareEdit(tx: Transaction, id: string, args: Record<string, unknown>): Promise<Edit> {
  const { ctx, db } = tx;
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const approval = await db.approval.findUnique({ where });
  if (approval === null) throw createNotFoundError("approval");
  if (!approval.canEdit) throw createFieldError("arguments", "can't be changed for this approval");
  // A request that was parsed. Without hidden values it is as the agent sent it.
  const stored = approval.request as unknown as AccessRequest;
  const asked = parseRequest(JSON.stringify(replaceArguments(stored, args)));
  const state = await lockGateState(tx, [asked], approval.agentId);
  const { verdict } = await decideRequest(ctx, state, { asked, callerId: approval.agentId });
  const problem = findVerdictProblem(verdict, null);
  if (problem !== null) throw problem.error;
  if (verdict.terms?.edits === false) {
    const names = verdict.decidedBy.map(({ name }) => name).join(", ");
    throw createFieldError(
      "arguments",
      `can't be changed to these: a policy that asks forbids it (${names})`,
    );
  }
  return { asked, args, verdict };
}

/**
 * Returns the columns of an approval with other arguments: the stricter of its terms and of those that the
 * policies ask for now. `now` is the transaction's time.
 */
export function applyEdit(
  approval: Approval,
  { asked, args, verdict }: Edit,
  now: Date,
): { data: Prisma.ApprovalUncheckedUpdateInput; edited: Approval } {
  const { agentId, scope } = approval;
  const before = getAskingPolicies(approval).filter(({ isOfEdit }) => isOfEdit !== true);
  const askedBy = [...before, ...listNewPolicies(before, verdict)];
  const hash = hashRequest(asked, { agentId, scope, askedBy });
  const isAsBefore = hash === Buffer.from(approval.requestHash).toString("hex");
  const fields: EditedFields = {
    ...tighten(approval, verdict, now),
    askedBy,
    editedHash: isAsBefore ? null : Buffer.from(hash, "hex"),
  };
  // JSON that was parsed.
  const editedArguments = isAsBefore ? NO_JSON : (args as Prisma.InputJsonObject);
  return { data: { ...fields, askedBy, editedArguments }, edited: { ...approval, ...fields } };
}

/** The policies that ask about the new arguments, and did not about those of the agent. */
function listNewPolicies(before: readonly AskingPolicy[], { outcome, decidedBy }: Verdict): AskingPolicy[] {
  const asking = outcome === "ask" ? decidedBy.map(toAskingPolicy) : [];
  return asking
    .filter(({ id }) => before.every((known) => known.id !== id))
    .map((policy) => ({ ...policy, isOfEdit: true }));
}

function tighten(approval: Approval, { terms }: Verdict, now: Date) {
  const { role, persons, uses, validSeconds, expiresAt } = approval;
  if (terms === null) return { role, persons, uses, validSeconds, expiresAt };
  const ends = new Date(now.getTime() + terms.ttlSeconds * 1000);
  return {
    role: isAtLeast(role, terms.role) ? role : terms.role,
    persons: Math.max(persons, terms.persons),
    uses: Math.min(uses, terms.uses),
    validSeconds: Math.min(validSeconds, terms.validSeconds),
    expiresAt: ends < expiresAt ? ends : expiresAt,
  };
}
