import { v7 as uuidv7 } from "uuid";
import type { DecisionRow, MatchedPolicy } from "../decisions/decision-log.ts";
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

type Asked = {
  /** The agent that asked. */
  agentId: string;
  /** When the check began, by `performance.now()`. */
  startedMs: number;
  approvalId?: string | null;
  executionId?: string | null;
};

/** Creates the row under which a decision is logged. */
export function createDecisionRow(
  ctx: Ctx,
  { asked, request, verdict, selection }: DecidedRequest,
  { agentId, startedMs, approvalId = null, executionId = null }: Asked,
): DecisionRow {
  const { subject, action, resource } = request;
  const now = ctx.now ?? ctx.services.live.now();
  const isTruncated = Buffer.byteLength(JSON.stringify(asked)) > LIMITS.decisionRequestBytes;
  return {
    workspaceId: ctx.workspaceId,
    id: uuidv7({ msecs: now.getTime() }),
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
    createdAt: now.toISOString(),
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
