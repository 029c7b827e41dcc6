import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import type { DomainError } from "../kernel/errors.ts";
import type { AppendContent } from "../kernel/events.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { approvalEvent } from "./approval-event.ts";
import { type Answer, findAnswer } from "./find-answer.ts";
import {
  type NewQuestion,
  countOpenQuestions,
  findRoomError,
  insertApprovals,
  lockNumberOfApprovals,
} from "./insert-approvals.ts";
import { waitForApproval } from "../tasks/wait-for-approval.ts";
import { moveApproval } from "./move-approval.ts";

/**
 * Asks people, unless the same question is open or was answered: then returns that. The workspace and the agent
 * are locked by `lockGateState`.
 *
 * @returns the answer, and what the transaction must append, null if nothing; or the error rate_limited if too
 *   many questions of the agent or the workspace are open.
 */
export async function requestApproval(
  tx: Transaction,
  question: NewQuestion,
): Promise<{ answer: Answer; appended: AppendContent | null } | { error: DomainError }> {
  const known = await findAnswer(tx, question);
  if (known !== null && known.kind !== "stale") return join(tx, question, known);
  await lockNumberOfApprovals(tx);
  const answer = await findAnswer(tx, question);
  if (answer !== null && answer.kind !== "stale") return join(tx, question, answer);
  const error = findRoomError(await countOpenQuestions(tx, question.binding.agentId), 1);
  if (error !== null) return { error };
  const ended = answer === null ? null : await endStale(tx, answer);
  const { approvals, now } = await insertApprovals(tx, [question]);
  const [approval] = approvals;
  if (approval === undefined) throw new Error("an insert returned no row");
  const created = {
    events: [approvalEvent("approval.requested", approval)],
    totals: [{ collection: "approvals" as const, to: "pending" }],
  };
  const appended = mergeAppends(ended ?? { events: [] }, created, await waitForApproval(tx, approval));
  return { answer: { kind: "pending", approval, now }, appended };
}

/** Takes an answer that there is. If it is open, the task waits for it again, and it is about the work of now. */
async function join(tx: Transaction, { issuerIds }: NewQuestion, answer: Answer) {
  if (answer.kind !== "pending") return { answer, appended: null };
  const { approval } = answer;
  await tx.run(SET_ISSUERS, [tx.ctx.workspaceId, approval.id, issuerIds]);
  const waiting = await waitForApproval(tx, approval);
  return { answer, appended: waiting.events.length === 0 ? null : waiting };
}

const SET_ISSUERS = sql`
UPDATE approval SET issuer_ids = $3::uuid[]
WHERE workspace_id = $1::uuid AND id = $2::uuid AND NOT (issuer_ids @> $3::uuid[] AND issuer_ids <@ $3::uuid[])`;

/** Ends an open question whose time is over, or about which other policies ask than then. */
async function endStale(tx: Transaction, locked: Answer): Promise<AppendContent> {
  const isLate = locked.approval.expiresAt <= locked.now;
  const { appended } = await moveApproval(tx, locked, {
    data: { status: isLate ? "expired" : "cancelled", decidedAt: locked.now },
    event: isLate ? "approval.expired" : "approval.cancelled",
  });
  return appended;
}
