import { v7 as uuidv7 } from "uuid";
import type { DecisionSummary } from "../decisions/decision-row.ts";
import { redactText } from "../kernel/redact.ts";
import type { ExceededBudget } from "../kernel/errors.ts";
import type { Ctx } from "../kernel/context.ts";
import { parseTraceparent } from "../kernel/traceparent.ts";
import type { DecidedRequest } from "./decide-request.ts";
import { nameSubject } from "./entity-name.ts";
import { listMatched } from "./list-matched.ts";
import { getTaskId } from "./parse-request.ts";

/** Names a decision before it is made. */
export type DecisionName = { id: string; createdAt: string };

export function nameDecision({ now, services }: Ctx): DecisionName {
  const createdAt = now ?? services.live.now();
  return { id: uuidv7({ msecs: createdAt.getTime() }), createdAt: createdAt.toISOString() };
}

/** Who asked for a decision, and what it led to. */
export type AskedDecision = {
  /** The agent that asked; null for a person. */
  agentId: string | null;
  /** When the check began, by `performance.now()`. */
  startedMs: number;
  name?: DecisionName;
  approvalId?: string | null;
  executionId?: string | null;
  /** The budget without room, for which it is denied. */
  budget?: ExceededBudget | null;
};

/** Says what was decided, without what it is about. */
export function summarizeDecision(
  ctx: Ctx,
  { asked, request, verdict, selection }: DecidedRequest,
  { agentId, startedMs, name = nameDecision(ctx), ...asking }: AskedDecision,
): DecisionSummary {
  const { approvalId = null, executionId = null, budget = null } = asking;
  const { subject, action, resource } = request;
  const { decidedBy, results } = verdict;
  const caller = parseTraceparent(ctx.traceparent);
  return {
    workspaceId: ctx.workspaceId,
    ...name,
    agentId,
    subject: subject.agent?.id === agentId ? null : nameSubject(subject),
    action: redactText(action.name),
    resourceType: resource.type,
    resourceId: redactText(resource.id),
    outcome: verdict.outcome,
    reason: verdict.reason,
    gateGeneration: selection?.generation ?? null,
    policyCount: selection?.total ?? null,
    consideredCount: selection?.policies.length ?? null,
    matched: listMatched({ decidedBy, results, unmet: [] }),
    would: verdict.would,
    budget,
    approvalId,
    executionId,
    taskId: getTaskId(asked),
    traceId: caller?.traceId ?? null,
    parentSpanId: caller?.spanId ?? null,
    requestId: ctx.requestId,
    latencyUs: Math.round((performance.now() - startedMs) * 1000),
  };
}
