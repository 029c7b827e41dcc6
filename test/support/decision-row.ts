import type { LoggedDecision } from "../../src/domain/decisions/decision-log.ts";
import type { DecisionRow } from "../../src/domain/decisions/decision-row.ts";

/** A refusal of a tool, unless said otherwise. */
export function createDecisionRow(createdAt: Date, fields: Partial<DecisionRow> = {}): DecisionRow {
  const time = createdAt.getTime().toString(16).padStart(12, "0");
  return {
    workspaceId: crypto.randomUUID(),
    id: `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`,
    agentId: crypto.randomUUID(),
    ...{ subject: null, action: "x", resourceType: "tool", resourceId: "x", outcome: "deny" },
    ...{
      reason: "default_deny",
      matched: [],
      gateGeneration: null,
      policyCount: null,
      consideredCount: null,
    },
    ...{
      would: null,
      budget: null,
      request: {},
      entities: null,
      requestHash: "00",
      approvalId: null,
      executionId: null,
    },
    ...{ taskId: null, traceId: null, parentSpanId: null, requestId: null, latencyUs: 1 },
    createdAt: createdAt.toISOString(),
    ...fields,
  };
}

/** A decision to log. */
export function toLogged(row: DecisionRow): LoggedDecision {
  const { request, entities, requestHash, ...summary } = row;
  return { summary, describe: () => ({ matched: row.matched, request, entities, requestHash }) };
}
