import { toGlobalId } from "../../src/schema/global-id.ts";
import type { FieldCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

export const NEW_TRUST = {
  ...{ name: "CI", issuer: "https://issuer.example", audience: "https://ops.example.com" },
  claimPatterns: [{ claim: "sub", pattern: "repo:acme/*" }],
  scopes: ["tasks:read"],
};

/** Calls of all GraphQL fields of workload identity with another workspace's ids. */
export function workloadCalls({ ids, word }: PopulatedWorkspace): Record<string, FieldCall[]> {
  const id = toGlobalId("WorkloadTrust", ids.workloadTrust);
  const refused = (input: object): FieldCall[] => [
    { args: { input }, outcome: "NOT_FOUND", forPeople: true },
  ];
  return {
    workloadTrusts: [{ args: {}, outcome: "own", forPeople: true }],
    createWorkloadTrust: refused({ ...NEW_TRUST, agentHandle: `agent-of-${word}` }),
    updateWorkloadTrust: refused({ id, name: "x" }),
    deleteWorkloadTrust: refused({ id }),
  };
}
