import { approvalEvent } from "../approvals/approval-event.ts";
import { findIssuers, toAsked } from "../approvals/find-issuers.ts";
import {
  type NewQuestion,
  type WaitingOrder,
  countOpenQuestions,
  findRoomError,
  insertApprovals,
  lockNumberOfApprovals,
} from "../approvals/insert-approvals.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import type { AppendContent } from "../kernel/events.ts";
import { hasScope } from "../kernel/has-scope.ts";
import type { OrderDecision } from "./decide-order.ts";
import { bindVerdict } from "./hash-request.ts";

/**
 * Requires that policies deny no part of an order.
 *
 * @throws {DomainError} policy_denied, and approval_required if policies ask about what can't wait; they name the
 *   policies for those who may read them.
 */
export function requireNotDenied({ ctx }: Transaction, decisions: readonly OrderDecision[]): void {
  const denied = decisions.filter(({ verdict }) => verdict.outcome === "deny");
  const [first] = denied;
  if (first === undefined) return;
  const { verdict, asked, row } = first;
  const { name: action } = asked.action;
  const names = verdict.decidedBy.map(({ name }) => name).join(", ");
  const isNamed = names !== "" && hasScope(ctx, "gateway:read");
  if (verdict.reason === "approval_required") {
    const by = isNamed ? `The policy ${names} asks` : "Policies ask";
    const message = `${by} people about ${action}, which can't wait for an answer (decision ${row.id}).`;
    throw new DomainError("approval_required", message);
  }
  const by = isNamed ? `The policy ${names} denies` : "Policies deny";
  const to = decisions.length === 1 ? "" : ` to ${denied.length} of ${decisions.length} agents`;
  throw new DomainError("policy_denied", `${by} ${action}${to} (${verdict.reason}, decision ${row.id}).`);
}

/**
 * Asks people about an order, one question for each agent about whom policies ask.
 *
 * @param waiting by the agent's id.
 * @returns what the transaction must append.
 * @throws {DomainError} rate_limited if people have too many questions to answer.
 */
export async function askAboutOrder(
  tx: Transaction,
  decisions: readonly OrderDecision[],
  waiting: ReadonlyMap<string, WaitingOrder>,
): Promise<Required<Pick<AppendContent, "events" | "totals">>> {
  const bare = decisions.flatMap((decision) => toQuestion(decision, waiting.get(decision.agentId)));
  const [first] = bare;
  if (first === undefined) return { events: [], totals: [] };
  const issuerIds = await findIssuers(tx, toAsked(first.asked, first.binding.agentId));
  const questions = bare.map((question) => ({ ...question, issuerIds }));
  await lockNumberOfApprovals(tx);
  const error = findRoomError(await countOpenQuestions(tx, first.binding.agentId), questions.length);
  if (error !== null) throw error;
  const { approvals } = await insertApprovals(tx, questions);
  return {
    events: approvals.map((approval) => approvalEvent("approval.requested", approval)),
    totals: approvals.map(() => ({ collection: "approvals" as const, to: "pending" })),
  };
}

function toQuestion(
  { asked, verdict, issuerId, row }: OrderDecision,
  order: WaitingOrder | undefined,
): Omit<NewQuestion, "issuerIds"> | [] {
  const { terms } = verdict;
  if (terms === null || row.approvalId === null || order === undefined) return [];
  const binding = bindVerdict(issuerId, verdict);
  return { asked, binding, terms, acceptEdits: true, decisionId: row.id, id: row.approvalId, order };
}
