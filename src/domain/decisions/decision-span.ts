import type { DecisionOutcome } from "../../db/generated/enums.ts";
import { type ServerSpan, createSpanId } from "../kernel/server-span.ts";
import type { DecisionRow } from "./decision-row.ts";

/** As the semantic conventions for generative AI say it. */
const VERDICTS: Readonly<Record<DecisionOutcome, string>> = { allow: "allow", deny: "deny", ask: "escalate" };

/** Builds the span of a stored decision; null if an agent asked within no trace and for no task. */
export function decisionSpan(row: DecisionRow): ServerSpan | null {
  const { id, agentId, traceId, parentSpanId, taskId, outcome, reason, action, latencyUs, createdAt } = row;
  if (agentId === null || (traceId === null && taskId === null)) return null;
  const policy = row.matched.find(({ decided }) => decided);
  return {
    traceId,
    spanId: createSpanId("run_guardrail", id),
    parentSpanId,
    name: "run_guardrail gateway",
    op: "guardrail",
    agentId,
    conversationId: null,
    taskId,
    missionId: null,
    startedAt: new Date(Date.parse(createdAt) - latencyUs / 1000).toISOString(),
    endedAt: createdAt,
    status: outcome === "allow" ? "ok" : "unset",
    statusMessage: null,
    attributes: {
      "gen_ai.guardrail.verdict.type": VERDICTS[outcome],
      ...(policy !== undefined && { "gen_ai.security.policy.id": policy.id }),
      "aos.decision_id": id,
      "aos.gateway.action": action,
      "aos.gateway.reason": reason,
    },
    events: [],
  };
}

/** A decision as JSON for its statement, with its span. */
export function serializeDecision(row: DecisionRow): string {
  return JSON.stringify({ ...row, span: decisionSpan(row) });
}
