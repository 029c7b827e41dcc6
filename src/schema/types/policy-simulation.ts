import {
  type ChangedGroup,
  type OutcomeChange,
  type PolicySimulation,
  simulatePolicies,
} from "../../domain/policies/simulate-policies.ts";
import { builder } from "../builder.ts";
import { DecisionOutcomeEnum } from "./decision.ts";
import { PolicyChangesInput, toChanges } from "./policy-changes.ts";

/** A list that comes with its parent: nothing is read for it. */
const GIVEN_LIST = { field: 1, multiplier: 1 };

const Group = builder.objectRef<ChangedGroup>("SimulatedGroup").implement({
  description: "Decisions of one agent, action and resource.",
  fields: (t) => ({
    agentUuid: t.expose("agentId", { type: "UUID", nullable: true, description: "Null for people." }),
    action: t.exposeString("action"),
    resourceType: t.exposeString("resourceType"),
    resourceId: t.exposeString("resourceId"),
    count: t.exposeInt("count"),
    decisionUuid: t.expose("decisionId", { type: "UUID", description: "The newest of them." }),
  }),
});

const Change = builder.objectRef<OutcomeChange>("SimulatedChange").implement({
  description: "Decisions whose outcome would be another one.",
  fields: (t) => ({
    before: t.expose("before", { type: DecisionOutcomeEnum }),
    after: t.expose("after", { type: DecisionOutcomeEnum }),
    count: t.exposeInt("count"),
    groups: t.expose("groups", {
      type: [Group],
      description: "Those with the most decisions, at most 20.",
      complexity: GIVEN_LIST,
    }),
  }),
});

const Simulation = builder.objectRef<PolicySimulation>("PolicySimulation").implement({
  description: "What changes of policies would have made of stored decisions.",
  fields: (t) => ({
    considered: t.exposeInt("considered", {
      description: "How many decisions were looked at, newest first.",
    }),
    isComplete: t.exposeBoolean("isComplete", {
      description: "Whether these are all of the time. At most 10,000 are looked at, for at most 20 seconds.",
    }),
    unchanged: t.exposeInt("unchanged"),
    unknown: t.exposeInt("unknown", { description: "Those that depend on what was not stored." }),
    changes: t.expose("changes", { type: [Change], complexity: GIVEN_LIST }),
  }),
});

builder.queryField("simulatePolicies", (t) =>
  t.field({
    type: Simulation,
    description:
      "Decides the newest stored requests by the policies, and by them with changes, for agents as they are now. One at a time.",
    args: {
      changes: t.arg({ type: PolicyChangesInput, required: true }),
      from: t.arg({ type: "DateTime", required: true }),
      to: t.arg({ type: "DateTime", required: true }),
    },
    complexity: 2000,
    resolve: (_root, { changes, from, to }, ctx) =>
      simulatePolicies(ctx, { changes: toChanges(changes), from, to }),
  }),
);
