import type { Decision } from "../../db/generated/client.ts";
import type { DecisionOutcome } from "../../db/generated/enums.ts";
import { mayBeRedacted } from "../kernel/redact.ts";
import type { GatePolicies } from "../gateway-checks/gate-policies.ts";
import type { GateState } from "../gateway-checks/gate-state.ts";
import type { AccessRequest } from "../gateway-checks/parse-request.ts";
import { resolveEntities } from "../gateway-checks/resolve-entities.ts";
import { selectPolicies } from "../gateway-checks/select-policies.ts";
import type { Steps } from "../kernel/turns.ts";
import type { CompiledPolicy } from "./compile-policy.ts";
import { createConditionValues } from "./condition/condition-values.ts";
import type { AgentCounters } from "./evaluation-request.ts";
import { createUnknownTest } from "./condition/unknown-values.ts";
import { MOST_POLICIES, decide } from "./decide.ts";
import { DRAFT_ID } from "./draft-policies.ts";

/** What is read of a decision. */
export type StoredDecision = Pick<
  Decision,
  "id" | "agentId" | "action" | "resourceType" | "resourceId" | "createdAt" | "gateGeneration"
> & {
  subject: { type: string; id: string } | null;
  request: AccessRequest | null;
  /** Null if no policy read them. */
  counters: Partial<AgentCounters> | null;
};

/** The policies of now, those with the changes, and the names of those that the changes replace or delete. */
export type SimulatedPolicies = {
  before: Pick<GatePolicies, "index">;
  after: Pick<GatePolicies, "index">;
  replaced: ReadonlySet<string>;
};

/** What changes make of a decision. */
export type SimulatedChange = "unchanged" | "unknown" | { before: DecisionOutcome; after: DecisionOutcome };

/** Decides a stored request by both sets of policies. */
export function* simulateDecision(
  row: StoredDecision,
  { before, after, replaced }: SimulatedPolicies,
  state: GateState,
): Steps<SimulatedChange> {
  // The subject was stopped, whatever the policies.
  if (row.gateGeneration === null) return "unchanged";
  // A person's role is in the request.
  if (row.request === null && row.agentId === null) return "unknown";
  const resolved = resolveEntities(row.request ?? toScope(row), state, row.agentId);
  const request = { ...resolved, ...(row.counters !== null && { counters: row.counters }) };
  const names = [request.action.name, request.resource.id, request.subject.id];
  if (names.some(mayBeRedacted)) return "unknown";
  const selected = yield* selectPolicies(before.index, request);
  const changed = yield* selectPolicies(after.index, request);
  const isTouched =
    selected.some(({ name }) => replaced.has(name)) || changed.some(({ id }) => id === DRAFT_ID);
  if (!isTouched) return "unchanged";
  const values = createConditionValues(request, new Date(row.createdAt));
  const isUnknown = row.request === null ? () => true : createUnknownTest(values.variables, mayBeRedacted);
  for (const policy of [selected, changed].flatMap((policies) => policies.slice(0, MOST_POLICIES))) {
    if (row.counters === null && policy.readsCounters()) return "unknown";
    if (readsUnknown(policy, isUnknown)) return "unknown";
    yield;
  }
  const fallback = request.action.isCommand ? "allow" : state.fallback;
  const [one, other] = [yield* decide(selected, values, fallback), yield* decide(changed, values, fallback)];
  if (one.outcome === other.outcome) return "unchanged";
  return { before: one.outcome, after: other.outcome };
}

/** What is known of a request that was too large to be stored. */
function toScope({ subject, agentId, action, resourceType, resourceId }: StoredDecision): AccessRequest {
  return {
    subject: { ...(subject ?? { type: "agent", id: agentId ?? "" }), properties: {} },
    action: { name: action, properties: {} },
    resource: { type: resourceType, id: resourceId, properties: {} },
    context: {},
  };
}

function readsUnknown({ getCondition }: CompiledPolicy, isUnknown: (path: string) => boolean): boolean {
  const condition = getCondition();
  return condition !== null && condition !== "invalid" && [...condition.paths].some(isUnknown);
}
