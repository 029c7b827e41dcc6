import type { PolicyDiff } from "../../domain/policies/file/apply-policies.ts";
import { type ExportedPolicies, exportPolicies } from "../../domain/policies/file/export-policies.ts";
import {
  type PolicyPreview,
  importPolicies,
  previewPolicies,
} from "../../domain/policies/file/import-policies.ts";
import type { PolicyFileProblem } from "../../domain/policies/file/policy-syntax.ts";
import type { PolicyRule as Rule } from "../../domain/policies/policy-rule.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { builder } from "../builder.ts";
import { Policy } from "./policy.ts";
import {
  ApprovalTerms,
  PolicyEffectEnum,
  PolicyModeEnum,
  PolicyResource,
  PolicySubject,
} from "./policy-rule.ts";

/** A list that comes with its parent: nothing is read for it. */
const GIVEN_LIST = { field: 1, multiplier: 1 };
/** All policies are read, and a file with all of them is read or written. */
const FILE_COST = 2000;

const ExportedFile = builder.objectRef<ExportedPolicies>("PolicyFile").implement({
  description: "All policies of the workspace, as a file.",
  fields: (t) => ({
    text: t.exposeString("text", { description: "YAML, the same as of `agent-ops policy export`." }),
    count: t.exposeInt("count", { description: "How many policies it has." }),
  }),
});

const PolicyRule = builder.objectRef<Rule>("PolicyRule").implement({
  description: "A policy as it is written.",
  fields: (t) => ({
    name: t.exposeString("name"),
    description: t.exposeString("description", { nullable: true }),
    enabled: t.exposeBoolean("enabled"),
    mode: t.expose("mode", { type: PolicyModeEnum }),
    effect: t.expose("effect", { type: PolicyEffectEnum }),
    subjects: t.field({
      type: [PolicySubject],
      nullable: { list: true, items: false },
      complexity: GIVEN_LIST,
      resolve: ({ subjects }) => subjects,
    }),
    actions: t.exposeStringList("actions"),
    resources: t.field({
      type: [PolicyResource],
      nullable: { list: true, items: false },
      complexity: GIVEN_LIST,
      resolve: ({ resources }) => resources,
    }),
    when: t.exposeString("when", { nullable: true }),
    approval: t.expose("approval", { type: ApprovalTerms, nullable: true }),
  }),
});

const ChangedRule = builder.objectRef<PolicyDiff["changed"][number]>("ChangedPolicy").implement({
  description: "A policy that a file changes.",
  fields: (t) => ({
    policy: t.field({ type: Policy, description: "As it is.", resolve: ({ policy }) => policy }),
    rule: t.field({ type: PolicyRule, description: "As the file has it.", resolve: ({ rule }) => rule }),
  }),
});

const Diff = builder.objectRef<PolicyDiff>("PolicyDiff").implement({
  description: "What a file of policies changes. Policies are matched by their names.",
  fields: (t) => ({
    added: t.field({
      type: [PolicyRule],
      description: `At most ${LIMITS.appliedPolicies} are shown.`,
      complexity: GIVEN_LIST,
      resolve: ({ added }) => added.slice(0, LIMITS.appliedPolicies),
    }),
    addedCount: t.int({ resolve: ({ added }) => added.length }),
    changed: t.field({
      type: [ChangedRule],
      description: `At most ${LIMITS.appliedPolicies} are shown.`,
      complexity: GIVEN_LIST,
      resolve: ({ changed }) => changed.slice(0, LIMITS.appliedPolicies),
    }),
    changedCount: t.int({ resolve: ({ changed }) => changed.length }),
    missing: t.field({
      type: [Policy],
      description: `Those that the file does not have; deleted only if asked to. At most ${LIMITS.appliedPolicies} are shown.`,
      complexity: GIVEN_LIST,
      resolve: ({ missing }) => missing.slice(0, LIMITS.appliedPolicies),
    }),
    missingCount: t.int({ resolve: ({ missing }) => missing.length }),
    unchangedCount: t.exposeInt("unchanged"),
    generation: t.exposeInt("generation", {
      description: "Counts the changes of the workspace's policies before these. For `ifGeneration`.",
    }),
  }),
});

const FileProblem = builder.objectRef<PolicyFileProblem>("PolicyFileProblem").implement({
  description: "Something that is wrong in a file. Lines and columns begin with 1.",
  fields: (t) => ({
    line: t.exposeInt("line"),
    column: t.exposeInt("column"),
    message: t.exposeString("message"),
  }),
});

const Preview = builder.objectRef<PolicyPreview>("PolicyFilePreview").implement({
  description: "What a file of policies would change.",
  fields: (t) => ({
    diff: t.expose("diff", { type: Diff, nullable: true, description: "Null for an invalid file." }),
    problems: t.expose("problems", {
      type: [FileProblem],
      description: "What is wrong with it, at most 100.",
      complexity: GIVEN_LIST,
    }),
  }),
});

const TEXT = "The file, YAML or JSON.";

builder.queryFields((t) => ({
  policyFile: t.field({
    type: ExportedFile,
    description: "All policies as a file.",
    complexity: FILE_COST,
    resolve: (_root, _args, ctx) => exportPolicies(ctx),
  }),
  previewPolicyFile: t.field({
    type: Preview,
    description: "Says what a file of policies would change. For admins. One at a time.",
    args: { text: t.arg.string({ required: true, description: TEXT }) },
    complexity: FILE_COST,
    resolve: (_root, { text }, ctx) => previewPolicies(ctx, text),
  }),
}));

builder.relayMutationField(
  "applyPolicyFile",
  {
    inputFields: (t) => ({
      text: t.string({ required: true, description: TEXT }),
      prune: t.boolean({ description: "Also deletes policies that the file does not have. Default false." }),
      ifGeneration: t.int({ description: "The `generation` of the diff that the caller looked at." }),
    }),
  },
  {
    description:
      "Makes the policies those of a file: all of them, or none, and at most 500 at once. For admins who entered their password recently.",
    resolve: async (_root, { input: { text, prune, ifGeneration } }, ctx) => ({
      diff: await importPolicies(ctx, { text, prune: prune ?? false, ifGeneration }),
    }),
  },
  {
    outputFields: (t) => ({
      diff: t.field({ type: Diff, description: "What it changed.", resolve: ({ diff }) => diff }),
    }),
  },
);
