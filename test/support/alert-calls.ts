import type { Scope } from "../../src/domain/kernel/scopes.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import type { FieldCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

/** Calls of all GraphQL fields of alert rules with another workspace's ids. */
export function alertCalls({ ids, word }: PopulatedWorkspace): Record<string, FieldCall[]> {
  const [id, agentId] = [toGlobalId("AlertRule", ids.alertRule), toGlobalId("Agent", ids.agent)];
  const create = (watched: object, outcome: FieldCall["outcome"]): FieldCall => ({
    args: { input: { name: word, metric: "AGENTS_OFFLINE", threshold: 5, watched } },
    outcome,
    forPeople: true,
  });
  return {
    alertRules: [
      { args: {}, outcome: "own" },
      { args: { first: 50, offset: 0, filter: { enabled: true, state: "OK" } }, outcome: "own" },
    ],
    alertRule: [{ args: { id }, outcome: "NOT_FOUND" }],
    createAlertRule: [
      create({ agentId }, "VALIDATION_FAILED"),
      create({ label: word, labelValue: "a" }, "own"),
    ],
    updateAlertRule: [{ args: { input: { id, threshold: 7 } }, outcome: "NOT_FOUND", forPeople: true }],
    deleteAlertRule: [{ args: { input: { id } }, outcome: "NOT_FOUND", forPeople: true }],
  };
}

/** A selection of each field of alert rules, and the scope it requires. */
export function alertUses({
  ids,
}: PopulatedWorkspace): Record<string, { scope: Scope | null; selection: string }[]> {
  const id = toGlobalId("AlertRule", ids.alertRule);
  return {
    alertRules: [{ scope: "events:read", selection: "alertRules { totalCount }" }],
    alertRule: [{ scope: "events:read", selection: `alertRule(id: "${id}") { state }` }],
  };
}
