import { v7 as uuidv7 } from "uuid";
import { sql } from "../../db/sql.ts";
import type { Approval, Prisma } from "../../db/generated/client.ts";
import { redactCounted, redactText } from "../kernel/redact.ts";
import { nameSubject } from "../gateway-checks/entity-name.ts";
import { hashRequest } from "../gateway-checks/hash-request.ts";
import { type AccessRequest, getTaskId } from "../gateway-checks/parse-request.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { requireAgent } from "../kernel/guard.ts";
import { jsonProblem } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { toOwnTraceId } from "../kernel/server-span.ts";
import { type ParentSpan, findParent } from "../tasks/find-parent.ts";
import type { ApprovalTerms } from "../policies/policy-rule.ts";
import type { Question } from "./find-answer.ts";

/** What waits for the approval of an order, and until when it can: a command with its span, or a mission. */
export type WaitingOrder = ({ commandId: string } | { missionId: string }) & {
  expiresAt: Date | null;
  parent?: ParentSpan;
};

/** A question with how it is to be answered. */
export type NewQuestion = Question & {
  id?: string;
  decisionId: string;
  terms: ApprovalTerms;
  order?: WaitingOrder;
};

/** Whether people can be asked about a request: it is stored whole, without secrets. A large one is not even read. */
export function canBeAsked(asked: AccessRequest): boolean {
  if (JSON.stringify(asked).length > LIMITS.approvalRequestBytes) return false;
  return jsonProblem(redactCounted(asked).value, LIMITS.approvalRequestBytes) === null;
}

/** Makes others who ask people wait until the transaction ends, so that the number of open questions is exact. */
export async function lockNumberOfApprovals({ run, ctx }: Transaction): Promise<void> {
  await run(LOCK_NUMBER, [ctx.workspaceId]);
}

const LOCK_NUMBER = sql`SELECT pg_advisory_xact_lock(hashtextextended('approvals of ' || $1, 0))`;

/** How many questions people have to answer: of the agent that asks, null for a person, and of the workspace. */
export type OpenQuestions = { ofAgent: number | null; ofWorkspace: number };

/**
 * Counts the open questions, exactly only after {@link lockNumberOfApprovals}.
 *
 * @param agentId who asks; null for a person.
 */
export async function countOpenQuestions(
  { run, ctx }: Transaction,
  agentId: string | null,
): Promise<OpenQuestions> {
  const [open] = await run(COUNT_OPEN, [ctx.workspaceId, agentId]);
  if (open === undefined) throw new Error("PostgreSQL returned no count");
  return open;
}

/** Finds out whether people can be asked some more questions. @returns the error rate_limited if not. */
export function findRoomError({ ofAgent, ofWorkspace }: OpenQuestions, count: number): DomainError | null {
  if (ofAgent !== null && ofAgent + count > LIMITS.pendingApprovalsOfAgent) {
    const message = `People have ${ofAgent} questions of this agent to answer. Cancel some, or wait.`;
    return new DomainError("rate_limited", message);
  }
  if (ofWorkspace + count <= LIMITS.pendingApprovals) return null;
  const message = `People have ${ofWorkspace} questions of this workspace to answer. Try again later.`;
  return new DomainError("rate_limited", message);
}

const COUNT_OPEN = sql<OpenQuestions>`
SELECT CASE WHEN $2::uuid IS NOT NULL THEN count(*) FILTER (WHERE agent_id = $2::uuid) END::int AS "ofAgent",
  count(*)::int AS "ofWorkspace"
FROM approval WHERE workspace_id = $1::uuid AND status = 'pending'`;

/** Asks people, for one task at most. @returns the approvals, and the time of the transaction. */
export async function insertApprovals(
  tx: Transaction,
  questions: readonly NewQuestion[],
): Promise<{ approvals: Approval[]; now: Date }> {
  const now = await tx.now();
  const [first] = questions;
  const parent = first === undefined ? null : await findParent(tx, getTaskId(first.asked));
  const rows = questions.map((question) => toRow(tx.ctx, { parent, ...question }, now));
  const approvals: Approval[] = [];
  for (let start = 0; start < rows.length; start += CHUNK) {
    const data = rows.slice(start, start + CHUNK);
    approvals.push(...(await tx.db.approval.createManyAndReturn({ data })));
  }
  return { approvals, now };
}

/** Rows of one statement: Prisma takes a millisecond to write each, and nobody else works meanwhile. */
const CHUNK = 20;

type PlacedQuestion = NewQuestion & { parent: ParentSpan | null };

function toRow(ctx: Ctx, question: PlacedQuestion, now: Date): Prisma.ApprovalCreateManyInput {
  const { asked, binding, terms, acceptEdits, decisionId, order, issuerIds } = question;
  const { agentId, askedBy } = binding;
  const { subject, action, resource } = asked;
  const { value, count } = redactCounted(asked);
  const { expiresAt: end = null, parent = question.parent, ...waiting } = order ?? {};
  const id = question.id ?? uuidv7({ msecs: now.getTime() });
  const expiresAt = new Date(now.getTime() + terms.ttlSeconds * 1000);
  return {
    workspaceId: ctx.workspaceId,
    id,
    decisionId,
    agentId,
    lineageId: agentId === null ? null : requireAgent(ctx).credential.lineageId,
    ...(subject !== undefined && { subject: nameSubject(subject) }),
    action: redactText(action.name),
    resourceType: resource.type,
    resourceId: redactText(resource.id),
    // JSON that was parsed.
    request: value as Prisma.InputJsonObject,
    hiddenValues: count,
    requestHash: Buffer.from(hashRequest(asked, binding), "hex"),
    askedBy: askedBy.map((policy) => ({ ...policy })),
    role: terms.role,
    persons: terms.persons,
    uses: terms.uses,
    scope: terms.scope,
    // Other arguments could not be told from those of another call, or would replace hidden ones.
    canEdit: terms.edits && acceptEdits && terms.scope === "exact" && count === 0,
    validSeconds: terms.validSeconds,
    expiresAt: end !== null && end < expiresAt ? end : expiresAt,
    taskId: getTaskId(asked),
    issuerIds: [...issuerIds],
    ...waiting,
    traceId: parent?.traceId ?? toOwnTraceId(id),
    parentSpanId: parent?.spanId ?? null,
    createdAt: now,
    updatedAt: now,
  };
}
