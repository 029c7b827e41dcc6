import { TABLES, selectList } from "../../db/columns.ts";
import type { Approval, Prisma } from "../../db/generated/client.ts";
import { NO_JSON } from "../../db/no-json.ts";
import { sql } from "../../db/sql.ts";
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
import { isForOrder } from "./order-answer.ts";
import { prepareOrder } from "./prepare-order.ts";

/** A request with an approver's arguments, null for no others, and what the policies say to it. */
export type Edit = { asked: AccessRequest; args: Record<string, unknown> | null; verdict: Verdict };

/** The columns of an approval that other arguments change. */
type EditedFields = Pick<
  Approval,
  "askedBy" | "editedHash" | "role" | "persons" | "uses" | "validSeconds" | "expiresAt"
>;

/**
 * Replaces the arguments of what people are asked about, if there are others, and asks the policies. They are asked
 * again about an order in any case, because the approval sends it. Locks the workspace and the agents, which come
 * before the approval.
 *
 * @returns null if there is nothing to ask them.
 * @throws {DomainError} not_found; validation_failed; policy_denied, emergency_stop and agent_paused if this may not be
 *   done.
 */
export async function prepareEdit(
  tx: Transaction,
  id: string,
  args: Record<string, unknown> | null,
): Promise<Edit | null> {
  const [approval] = await tx.run(FIND, [tx.ctx.workspaceId, id]);
  if (approval === undefined) throw createNotFoundError("approval");
  if (args !== null && !approval.canEdit)
    throw createFieldError("arguments", "can't be changed for this approval");
  const prepared = await prepareRequest(tx, approval, args);
  if (prepared === null) return null;
  const { verdict } = prepared;
  const problem = findVerdictProblem(verdict, null);
  if (problem !== null) throw problem.error;
  if (args !== null && verdict.terms?.edits === false) {
    const names = verdict.decidedBy.map(({ name }) => name).join(", ");
    throw createFieldError(
      "arguments",
      `can't be changed to these: a policy that asks forbids it (${names})`,
    );
  }
  return { ...prepared, args };
}

const FIND = sql<Approval>`
SELECT ${selectList("a", TABLES.approval)} FROM approval a WHERE workspace_id = $1::uuid AND id = $2::uuid`;

async function prepareRequest(
  tx: Transaction,
  approval: Approval,
  args: Record<string, unknown> | null,
): Promise<Omit<Edit, "args"> | null> {
  const { agentId, request } = approval;
  if (isForOrder(approval)) return prepareOrder(tx, approval, args);
  if (args === null || agentId === null) return null;
  // A request that was parsed. Without hidden values it is as the agent sent it.
  const stored = request as unknown as AccessRequest;
  const asked = parseRequest(JSON.stringify(replaceArguments(stored, args)));
  const state = await lockGateState(tx, [asked], agentId);
  return decideRequest(tx.ctx, state, { asked, callerId: agentId });
}

/** An approval as it is changed, and the columns of it. */
type Applied = { data: Prisma.ApprovalUncheckedUpdateInput; edited: Approval };

/**
 * Returns the columns of an approval with other arguments, if there are some: the stricter of its terms and of those
 * that the policies ask for now. `now` is the transaction's time.
 */
export function applyEdit(approval: Approval, { asked, args, verdict }: Edit, now: Date): Applied {
  if (args === null) return applyVerdict(approval, verdict, now);
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

/** Adds the policies that ask only since the approval was asked for. */
function applyVerdict(approval: Approval, verdict: Verdict, now: Date): Applied {
  const before = getAskingPolicies(approval);
  const added = listNewPolicies(before, verdict);
  if (added.length === 0) return { data: {}, edited: approval };
  const fields = { ...tighten(approval, verdict, now), askedBy: [...before, ...added] };
  return { data: fields, edited: { ...approval, ...fields } };
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
