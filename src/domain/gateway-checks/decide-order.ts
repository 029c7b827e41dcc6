import { v7 as uuidv7 } from "uuid";
import {
  type OpenQuestions,
  canBeAsked,
  countOpenQuestions,
  findRoomError,
} from "../approvals/insert-approvals.ts";
import type { DecisionRow } from "../decisions/decision-row.ts";
import type { Actor } from "../kernel/actor.ts";
import type { Transaction } from "../kernel/context.ts";
import { countRequests } from "../kernel/read-bytes.ts";
import type { Verdict } from "../policies/decide.ts";
import { createDecisionRow } from "./create-decision-row.ts";
import { type DecidedRequest, decideByPolicies } from "./decide-request.ts";
import { MEMBER } from "./entity-name.ts";
import { readGateStateIn } from "./gate-state.ts";
import type { AccessRequest } from "./parse-request.ts";

/** What an agent or a person orders agents to do. */
export type Order = {
  /** The type of the command, or {@link CREATE_MISSION}. */
  action: string;
  args: object;
  /** To whom it is. */
  agentIds: readonly string[];
  /** What the order is for, such as `task_id`. */
  context: Record<string, unknown>;
  /** Whether it can wait while people are asked. Otherwise a policy that asks denies it. Default: true. */
  canWait?: boolean;
  /** Whether people are asked a question for each agent, not one for all. Default: false. */
  isAskedForEach?: boolean;
};

/** What the policies say to an order to one agent. */
export type OrderDecision = Pick<DecidedRequest, "asked" | "verdict"> & {
  /** To whom it is. */
  agentId: string;
  /** Who gives it; null for a person. */
  issuerId: string | null;
  /** `approvalId` names the approval to ask for. */
  row: DecisionRow;
};

/** The decisions on an order and the approvals to wait for, by agent id. */
export type NamedDecisions = ReadonlyMap<string, { decisionId: string; approvalId: string | null }>;

export function nameDecisions(decisions: readonly OrderDecision[]): NamedDecisions {
  return new Map(
    decisions.map(({ agentId, row }) => [agentId, { decisionId: row.id, approvalId: row.approvalId }]),
  );
}

/** Whether any policy may be for an order of the caller with this action. */
export async function isUnderPolicies(
  { ctx }: Transaction,
  action: string,
  generation: number,
): Promise<boolean> {
  if (toSubject(ctx.actor) === null) return false;
  const policies = await ctx.services.policies.get(ctx.workspaceId, generation);
  return policies.mayMeanOrder(action);
}

/**
 * Decides an order of the caller by policies, for each agent to whom it is. The workspace is locked. Each agent is
 * charged as a request.
 *
 * @param generation that of the workspace's policies.
 * @returns null if no policy is for such an order, or if the system gives it: it is allowed, and not logged.
 * @throws {DomainError} rate_limited as soon as people would have too many questions to answer.
 */
export async function decideOrder(
  tx: Transaction,
  order: Order,
  generation: number,
): Promise<OrderDecision[] | null> {
  const { ctx } = tx;
  const startedMs = performance.now();
  const subject = toSubject(ctx.actor);
  if (subject === null || !(await isUnderPolicies(tx, order.action, generation))) return null;
  countRequests(ctx, order.agentIds.length - 1);
  const issuerId = ctx.actor.type === "agent" ? ctx.actor.id : null;
  const requests = order.agentIds.map((agentId) => ({ agentId, asked: toRequest(order, subject, agentId) }));
  const state = await readGateStateIn(
    tx,
    requests.map(({ asked }) => asked),
    issuerId,
  );
  const requireRoom = countQuestions(tx, issuerId);
  const decisions: OrderDecision[] = [];
  for (const { agentId, asked } of requests) {
    const decided = await decideByPolicies(ctx, state, { asked, callerId: issuerId });
    const verdict = toOrderVerdict(decided, order.canWait);
    const approvalId = verdict.outcome === "ask" ? uuidv7() : null;
    if (approvalId !== null && order.isAskedForEach === true) await requireRoom();
    const row = createDecisionRow(ctx, { ...decided, verdict }, { agentId: issuerId, startedMs, approvalId });
    decisions.push({ asked, verdict, agentId, issuerId, row });
  }
  return decisions;
}

/** @returns what requires that people can be asked one more question, each time that it is called. */
function countQuestions(tx: Transaction, issuerId: string | null): () => Promise<void> {
  let open: OpenQuestions | null = null;
  let count = 0;
  return async () => {
    open ??= await countOpenQuestions(tx, issuerId);
    const error = findRoomError(open, ++count);
    if (error !== null) throw error;
  };
}

/** Null for whoever is not subject to policies. */
function toSubject(actor: Actor): AccessRequest["subject"] | null {
  switch (actor.type) {
    case "agent":
      return { type: "agent", id: actor.id, properties: {} };
    case "user":
      return { type: MEMBER, id: actor.id, properties: { role: actor.role, name: actor.name } };
    case "scim":
    case "system":
      return null;
  }
}

function toRequest(
  { action, args, context }: Order,
  subject: AccessRequest["subject"],
  agentId: string,
): AccessRequest {
  return {
    subject,
    action: { name: action, properties: { arguments: args } },
    resource: { type: "agent", id: agentId, properties: {} },
    context,
  };
}

/** An approval is for one order. What people can't read, or is not to wait for them, is denied. */
export function toOrderVerdict(
  { asked, verdict }: Pick<DecidedRequest, "asked" | "verdict">,
  canWait = true,
): Verdict {
  if (verdict.outcome !== "ask" || verdict.terms === null) return verdict;
  const denied = { ...verdict, outcome: "deny", terms: null } as const;
  if (!canWait) return { ...denied, reason: "approval_required" };
  if (!canBeAsked(asked)) return { ...denied, reason: "request_unusable" };
  return { ...verdict, terms: { ...verdict.terms, uses: 1, scope: "exact" } };
}
