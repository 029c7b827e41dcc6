import { PolicyEffect, PolicyMode } from "../../db/generated/enums.ts";
import type {
  ApprovalTerms as Terms,
  PolicyResource as Resource,
  PolicyRuleInput as RuleInput,
  PolicySubject as Subject,
} from "../../domain/policies/policy-rule.ts";
import { builder } from "../builder.ts";
import { addEnum, toEnumValues } from "../enum.ts";
import { omitNulls } from "../omit-nulls.ts";
import { AgentKindEnum } from "./agent.ts";
import { RoleEnum } from "./user.ts";

export const PolicyEffectEnum = addEnum(
  "PolicyEffect",
  PolicyEffect,
  "What a policy says: allow, deny, or ask a person. Of several, deny wins over ask, and ask over allow.",
);

export const PolicyModeEnum = addEnum(
  "PolicyMode",
  PolicyMode,
  "Whether a policy decides, or only what it would change is logged.",
);

export const ApprovalScopeEnum = addEnum(
  "ApprovalScope",
  toEnumValues(["exact", "tool"]),
  "What an approval is for: exactly the request, or any request of the agent to the same resource.",
);

const NAME = "A glob: `*` is any text. For agents, of the handle; for others, of the id.";
const LABELS = "Globs of values by labels that an agent must have.";

export const PolicySubject = builder.objectRef<Subject>("PolicySubject").implement({
  description: "Who a policy is for.",
  fields: (t) => ({
    type: t.exposeString("type", {
      description: "Such as `agent`, or `member` for people of the workspace.",
    }),
    name: t.exposeString("name", { nullable: true, description: NAME }),
    labels: t.expose("labels", { type: "JSON", nullable: true, description: LABELS }),
    kind: t.expose("kind", { type: AgentKindEnum, nullable: true }),
    role: t.expose("role", {
      type: RoleEnum,
      nullable: true,
      description: "For `member`: people with this role or above.",
    }),
  }),
});

export const PolicyResource = builder.objectRef<Resource>("PolicyResource").implement({
  description: "What a policy is about.",
  fields: (t) => ({
    type: t.exposeString("type", { description: "Such as `tool`, or `agent` for commands and missions." }),
    name: t.exposeString("name", { nullable: true, description: NAME }),
    labels: t.expose("labels", { type: "JSON", nullable: true, description: LABELS }),
    kind: t.expose("kind", { type: AgentKindEnum, nullable: true }),
    server: t.exposeString("server", {
      nullable: true,
      description: "For `tool`: a glob of its server, the part of the name before the first dot.",
    }),
  }),
});

export const ApprovalTerms = builder.objectRef<Terms>("ApprovalTerms").implement({
  description: "How a person approves what a policy asks about.",
  fields: (t) => ({
    role: t.expose("role", { type: RoleEnum, description: "The least role of those who approve." }),
    persons: t.exposeInt("persons", { description: "How many different people must approve." }),
    ttlSeconds: t.exposeInt("ttlSeconds", { description: "How long a person has." }),
    validSeconds: t.exposeInt("validSeconds", { description: "How long an approval holds." }),
    uses: t.exposeInt("uses", { description: "How often it can be used." }),
    scope: t.expose("scope", { type: ApprovalScopeEnum }),
    edits: t.exposeBoolean("edits", { description: "Whether the arguments may be edited." }),
  }),
});

const PolicySubjectInput = builder.inputType("PolicySubjectInput", {
  fields: (t) => ({
    type: t.string({ required: true }),
    name: t.string({ description: NAME }),
    labels: t.field({ type: "JSON", description: LABELS }),
    kind: t.field({ type: AgentKindEnum, description: "For `agent`." }),
    role: t.field({ type: RoleEnum, description: "For `member`: people with this role or above." }),
  }),
});

const PolicyResourceInput = builder.inputType("PolicyResourceInput", {
  fields: (t) => ({
    type: t.string({ required: true }),
    name: t.string({ description: NAME }),
    labels: t.field({ type: "JSON", description: LABELS }),
    kind: t.field({ type: AgentKindEnum, description: "For `agent`." }),
    server: t.string({ description: "For `tool`: a glob of its server." }),
  }),
});

const ApprovalTermsInput = builder.inputType("ApprovalTermsInput", {
  fields: (t) => ({
    role: t.field({ type: RoleEnum, description: "OPERATOR or ADMIN. Default OPERATOR." }),
    persons: t.int({ description: "1 or 2. Default 1." }),
    ttlSeconds: t.int({ description: "60 to 86,400. Default 900." }),
    validSeconds: t.int({ description: "10 to 86,400. Default 300." }),
    uses: t.int({ description: "1 to 100. Default 1." }),
    scope: t.field({ type: ApprovalScopeEnum, description: "Default EXACT." }),
    edits: t.boolean({ description: "Default false." }),
  }),
});

export const PolicyRuleInput = builder.inputType("PolicyRuleInput", {
  fields: (t) => ({
    name: t.string({ required: true, description: "1 to 64 characters, unique in the workspace." }),
    description: t.string({ description: "1 to 2,000 characters." }),
    enabled: t.boolean({ description: "Default true." }),
    mode: t.field({ type: PolicyModeEnum, description: "Default ENFORCE." }),
    effect: t.field({ type: PolicyEffectEnum, required: true }),
    subjects: t.field({ type: [PolicySubjectInput], description: "Any of these. Default: everybody." }),
    actions: t.stringList({
      required: true,
      description: "Globs. `commands` are all commands to agents, and missions.",
    }),
    resources: t.field({ type: [PolicyResourceInput], description: "Any of these. Default: everything." }),
    when: t.string({
      description: "A condition in CEL, such as `args.amount > 500`. Default: the policy always applies.",
    }),
    approval: t.field({ type: ApprovalTermsInput, description: "With the effect ASK only." }),
  }),
});

/** Drops nulls, which mean the same as leaving a field out. */
export function toRuleInput(input: typeof PolicyRuleInput.$inferInput): RuleInput {
  const { subjects, resources, approval, ...fields } = input;
  const given = {
    ...omitNulls(fields),
    ...(subjects && { subjects: subjects.map(omitNulls) }),
    ...(resources && { resources: resources.map(omitNulls) }),
    ...(approval && { approval: omitNulls(approval) }),
  };
  // policyRule checks labels, which are any JSON here, and roles.
  return given as RuleInput;
}
