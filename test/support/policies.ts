import { type StoredPolicy, compilePolicy } from "../../src/domain/policies/compile-policy.ts";
import type { Entity, EntityAgent, EvaluationRequest } from "../../src/domain/policies/evaluation-request.ts";
import { type PolicyRuleInput, policyRule } from "../../src/domain/policies/policy-rule.ts";

/** A compiled policy for every request, unless said otherwise. */
export function compileRule(rule: Partial<PolicyRuleInput> = {}) {
  const parsed = policyRule.parse({ name: "A policy", effect: "allow", actions: ["*"], ...rule });
  const stored: StoredPolicy = { ...parsed, id: crypto.randomUUID(), generation: 1 };
  return compilePolicy(stored);
}

export function createEntityAgent(fields: Partial<EntityAgent> = {}): EntityAgent {
  return { id: "agent-1", handle: "billing-7", kind: "software", version: "1.0", labels: {}, ...fields };
}

/** An agent's call of a tool, unless said otherwise. */
export function createRequest({
  subject,
  action,
  resource,
  context,
}: {
  subject?: Partial<EvaluationRequest["subject"]>;
  action?: Partial<EvaluationRequest["action"]>;
  resource?: Partial<Entity>;
  context?: Record<string, unknown>;
} = {}): EvaluationRequest {
  const agent = createEntityAgent();
  return {
    subject: { type: "agent", id: agent.id, agent, role: null, properties: {}, ...subject },
    action: { name: "tools/call", isCommand: false, properties: { arguments: {} }, ...action },
    resource: { type: "tool", id: "stripe.refund", agent: null, properties: {}, ...resource },
    context: context ?? {},
  };
}
