import { v7 as uuidv7 } from "uuid";
import type { DecisionRow, MatchedPolicy } from "../decisions/decision-row.ts";
import { redact, redactText } from "../decisions/redact.ts";
import type { Ctx } from "../kernel/context.ts";
import { LIMITS } from "../kernel/limits.ts";
import { parseTraceId } from "../kernel/traceparent.ts";
import type { Verdict } from "../policies/decide.ts";
import type { DecidedRequest } from "./decide-request.ts";
import { keepEntities } from "./decision-entities.ts";
import { bindVerdict, hashRequest } from "./hash-request.ts";
import { getTaskId } from "./parse-request.ts";
import { rankResults } from "./rank-results.ts";

/** Names a decision before it is made. */
export type DecisionName = { id: string; createdAt: string };

export function nameDecision({ now, services }: Ctx): DecisionName {
  const createdAt = now ?? services.live.now();
  return { id: uuidv7({ msecs: createdAt.getTime() }), createdAt: createdAt.toISOString() };
}

type Asked = {
  /** The agent that asked. */
  agentId: string;
  /** When the check began, by `performance.now()`. */
  startedMs: number;
  name?: DecisionName;
  approvalId?: string | null;
  executionId?: string | null;
};

/** Creates the row under which a decision is logged. */
export function createDecisionRow(
  ctx: Ctx,
  { asked, request, verdict, selection }: DecidedRequest,
  { agentId, startedMs, name = nameDecision(ctx), approvalId = null, executionId = null }: Asked,
): DecisionRow {
  const { subject, action, resource } = request;
  const isTruncated = Buffer.byteLength(JSON.stringify(asked)) > LIMITS.decisionRequestBytes;
  return {
    workspaceId: ctx.workspaceId,
    ...name,
    agentId,
    subject: subject.agent?.id === agentId ? null : { type: subject.type, id: redactText(subject.id) },
    action: redactText(action.name),
    resourceType: resource.type,
    resourceId: redactText(resource.id),
    outcome: verdict.outcome,
    reason: verdict.reason,
    gateGeneration: selection?.generation ?? null,
    policyCount: selection?.total ?? null,
    consideredCount: selection?.policies.length ?? null,
    matched: listMatched(verdict),
    would: verdict.would,
    request: isTruncated ? null : redact(asked),
    entities: keepEntities(asked, request),
    requestHash: hashRequest(asked, bindVerdict(agentId, verdict)),
    approvalId,
    executionId,
    taskId: getTaskId(asked),
    traceId: parseTraceId(ctx.traceparent),
    requestId: ctx.requestId,
    latencyUs: Math.round((performance.now() - startedMs) * 1000),
  };
}

/** As {@link rankResults} orders them. */
function listMatched(verdict: Verdict): MatchedPolicy[] {
  return rankResults(verdict).map(({ policy, result, decided }) => ({
    id: policy.id,
    generation: policy.generation,
    name: policy.name,
    effect: policy.effect,
    mode: policy.mode,
    result: typeof result === "boolean" ? result : result.code,
    decided,
  }));
}
