import { LIMITS } from "../../domain/kernel/limits.ts";
import { createPolicy } from "../../domain/policies/create-policy.ts";
import { deletePolicy } from "../../domain/policies/delete-policy.ts";
import { listPolicies } from "../../domain/policies/list-policies.ts";
import { type PolicyActivity, readPolicyActivity } from "../../domain/policies/read-policy-activity.ts";
import {
  type PolicyVersion as Version,
  listPolicyVersions,
} from "../../domain/policies/list-policy-versions.ts";
import { readPolicy } from "../../domain/policies/read-policy.ts";
import { toRule } from "../../domain/policies/to-rule.ts";
import { updatePolicy } from "../../domain/policies/update-policy.ts";
import {
  type PolicyProblem,
  type PolicyValidation,
  validatePolicy,
} from "../../domain/policies/validate-policy.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { fromGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { omitNulls } from "../omit-nulls.ts";
import { toActorRecord } from "./actor.ts";
import {
  ApprovalTerms,
  PolicyEffectEnum,
  PolicyModeEnum,
  PolicyResource,
  PolicyRuleInput,
  PolicySubject,
  toRuleInput,
} from "./policy-rule.ts";

/** A list in a column of its row: nothing is read for it. */
const STORED_LIST = { field: 1, multiplier: 1 };

const loadActivity = createBatchLoader(readPolicyActivity);

const Activity = builder.objectRef<Omit<PolicyActivity, "policyId">>("PolicyActivity").implement({
  description: "How often a policy's condition held in the last 7 days. Current within seconds.",
  fields: (t) => ({
    hits: t.exposeInt("hits", { description: "While it was enforced." }),
    wouldHits: t.exposeInt("wouldHits", { description: "While it was monitored." }),
    lastMatchAt: t.expose("lastMatchAt", {
      type: "DateTime",
      nullable: true,
      description: "Null if it did not hold in that time.",
    }),
  }),
});

export const Policy = builder.prismaNode("Policy", {
  ...workspaceNode,
  description: "A rule for what agents and people may do.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    name: t.exposeString("name", { description: "Unique in the workspace." }),
    description: t.exposeString("description", { nullable: true }),
    enabled: t.exposeBoolean("enabled"),
    mode: t.expose("mode", { type: PolicyModeEnum }),
    effect: t.expose("effect", { type: PolicyEffectEnum }),
    subjects: t.field({
      type: [PolicySubject],
      nullable: { list: true, items: false },
      description: "Who is meant: any of these. Null for everybody.",
      complexity: STORED_LIST,
      resolve: (policy) => toRule(policy).subjects,
    }),
    actions: t.exposeStringList("actions", {
      description: "Globs of the names of actions. `commands` are all commands to agents, and missions.",
    }),
    resources: t.field({
      type: [PolicyResource],
      nullable: { list: true, items: false },
      description: "What is acted on: any of these. Null for everything.",
      complexity: STORED_LIST,
      resolve: (policy) => toRule(policy).resources,
    }),
    when: t.exposeString("when", {
      nullable: true,
      description: "The condition, in CEL. Null if the policy always applies.",
    }),
    approval: t.field({
      type: ApprovalTerms,
      nullable: true,
      description: "How a person approves; null unless the effect is ASK.",
      resolve: (policy) => toRule(policy).approval,
    }),
    activity: t.field({
      type: Activity,
      resolve: async ({ id }, _args, ctx) =>
        (await loadActivity(ctx, id)) ?? { hits: 0, wouldHits: 0, lastMatchAt: null },
    }),
    fromFile: t.exposeBoolean("fromFile", {
      description: "Whether it was in a file of policies that was applied. The next apply undoes an edit.",
    }),
    createdBy: t.field({ type: "Actor", resolve: (policy) => toActorRecord(policy.createdBy) }),
    updatedBy: t.field({ type: "Actor", resolve: (policy) => toActorRecord(policy.updatedBy) }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const PolicyVersion = builder.objectRef<Version>("PolicyVersion").implement({
  description: "A policy's rule as it was from a change on.",
  fields: (t) => ({
    generation: t.exposeInt("generation"),
    name: t.string({ resolve: ({ rule }) => rule.name }),
    description: t.string({ nullable: true, resolve: ({ rule }) => rule.description }),
    enabled: t.boolean({ resolve: ({ rule }) => rule.enabled }),
    mode: t.field({ type: PolicyModeEnum, resolve: ({ rule }) => rule.mode }),
    effect: t.field({ type: PolicyEffectEnum, resolve: ({ rule }) => rule.effect }),
    subjects: t.field({
      type: [PolicySubject],
      nullable: { list: true, items: false },
      complexity: STORED_LIST,
      resolve: ({ rule }) => rule.subjects,
    }),
    actions: t.stringList({ resolve: ({ rule }) => rule.actions }),
    resources: t.field({
      type: [PolicyResource],
      nullable: { list: true, items: false },
      complexity: STORED_LIST,
      resolve: ({ rule }) => rule.resources,
    }),
    when: t.string({ nullable: true, resolve: ({ rule }) => rule.when }),
    approval: t.field({ type: ApprovalTerms, nullable: true, resolve: ({ rule }) => rule.approval }),
    changedBy: t.field({ type: "Actor", resolve: ({ by }) => toActorRecord(by) }),
    changedAt: t.expose("at", { type: "DateTime" }),
  }),
});

const Problem = builder.objectRef<PolicyProblem>("PolicyProblem").implement({
  description: "Something about a rule.",
  fields: (t) => ({
    field: t.exposeString("field", { description: "A path such as `subjects.0.type`." }),
    message: t.exposeString("message"),
    start: t.exposeInt("start", {
      nullable: true,
      description: "Where in `when` it begins, in UTF-16 units. Null for other fields.",
    }),
    end: t.exposeInt("end", { nullable: true, description: "Where it ends." }),
  }),
});

const Validation = builder.objectRef<PolicyValidation>("PolicyValidation").implement({
  description: "What is wrong with a rule, and what may surprise.",
  fields: (t) => ({
    errors: t.expose("errors", { type: [Problem], description: "With errors, the rule can't be saved." }),
    warnings: t.expose("warnings", { type: [Problem] }),
  }),
});

const PolicyFilter = builder.inputType("PolicyFilter", {
  fields: (t) => ({
    effect: t.field({ type: PolicyEffectEnum }),
    mode: t.field({ type: PolicyModeEnum }),
    enabled: t.boolean(),
  }),
});

builder.queryFields((t) => ({
  policy: t.prismaField({
    type: Policy,
    description: "One policy.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => readPolicy(ctx, { id: fromGlobalId("id", "Policy", id) }, query),
  }),
  policies: t.connection({
    type: Policy,
    description: "The workspace's policies, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: PolicyFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toConnection(await listPolicies(ctx, page, filter ?? {})),
  }),
  policyVersions: t.field({
    type: [PolicyVersion],
    description: "The versions of a policy, the newest first.",
    args: {
      id: t.arg.id({ required: true }),
      first: t.arg.int({
        description: `${LIMITS.policyVersions.min} to ${LIMITS.policyVersions.max}. Default ${LIMITS.policyVersions.default}.`,
      }),
      beforeGeneration: t.arg.int({ description: "Only versions with a smaller generation." }),
    },
    complexity: ({ first }) => ({
      field: 1,
      multiplier: Math.min(Math.max(first ?? LIMITS.policyVersions.default, 1), LIMITS.policyVersions.max),
    }),
    resolve: (_root, { id, first, beforeGeneration }, ctx) =>
      listPolicyVersions(ctx, {
        id: fromGlobalId("id", "Policy", id),
        beforeGeneration,
        ...omitNulls({ first }),
      }),
  }),
  validatePolicy: t.field({
    type: Validation,
    description: "Checks a rule while it is written.",
    args: { rule: t.arg({ type: PolicyRuleInput, required: true }) },
    // It compiles a condition, which takes milliseconds.
    complexity: 1000,
    resolve: (_root, { rule }, ctx) => validatePolicy(ctx, toRuleInput(rule)),
  }),
}));

builder.relayMutationField(
  "createPolicy",
  { inputFields: (t) => ({ rule: t.field({ type: PolicyRuleInput, required: true }) }) },
  {
    description: "Creates a policy. For admins who entered their password recently.",
    resolve: async (_root, { input: { rule } }, ctx) => ({
      policy: await createPolicy(ctx, toRuleInput(rule)),
    }),
  },
  { outputFields: (t) => ({ policy: t.field({ type: Policy, resolve: ({ policy }) => policy }) }) },
);

builder.relayMutationField(
  "updatePolicy",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      rule: t.field({ type: PolicyRuleInput, required: true }),
      ifGeneration: t.int({ description: "The generation that the caller read." }),
    }),
  },
  {
    description: "Replaces a policy's rule. For admins who entered their password recently.",
    resolve: async (_root, { input: { id, rule, ifGeneration } }, ctx) => {
      const target = { id: fromGlobalId("id", "Policy", id), ifGeneration };
      return { policy: await updatePolicy(ctx, target, toRuleInput(rule)) };
    },
  },
  { outputFields: (t) => ({ policy: t.field({ type: Policy, resolve: ({ policy }) => policy }) }) },
);

builder.relayMutationField(
  "deletePolicy",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Deletes a policy. For admins who entered their password recently.",
    resolve: async (_root, { input: { id } }, ctx) => ({
      policy: await deletePolicy(ctx, { id: fromGlobalId("id", "Policy", id) }),
    }),
  },
  { outputFields: (t) => ({ policy: t.field({ type: Policy, resolve: ({ policy }) => policy }) }) },
);
