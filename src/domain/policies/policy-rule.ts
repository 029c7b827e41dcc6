import { z } from "zod";
import { AgentKind, PolicyEffect, PolicyMode } from "../../db/generated/enums.ts";
import { labels, name, text, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { ROLES } from "../kernel/scopes.ts";
import { compileCondition } from "./condition/compile-condition.ts";
import { parseGlob } from "../kernel/glob.ts";

/** A type of subjects or resources, such as `agent` or `tool`. */
export const entityType = z
  .string()
  .regex(/^[A-Za-z]\w{0,63}$/, "must be 1 to 64 letters, digits and underscores, a letter first");

const glob = z.string().superRefine((value, context) => {
  const parsed = value === "" ? "must have at least 1 character" : parseGlob(value);
  if (typeof parsed === "string") context.addIssue({ code: "custom", message: parsed });
});

/** Values are globs; `*` says that the label is present. */
const labelGlobs = labels.superRefine((value, context) => {
  for (const [label, pattern] of Object.entries(value)) {
    const parsed = parseGlob(pattern);
    if (typeof parsed === "string") context.addIssue({ code: "custom", path: [label], message: parsed });
  }
});

const agentFields = {
  name: glob.optional(),
  labels: labelGlobs.optional(),
  kind: z.enum(AgentKind).optional(),
};

const subject = z
  .strictObject({
    type: entityType,
    ...agentFields,
    role: z.enum(ROLES).optional(),
  })
  .superRefine((value, context) => {
    forbidFields(context, value, [
      { fields: ["labels", "kind"], isMeant: value.type === "agent", of: "agents" },
      { fields: ["role"], isMeant: value.type === "member", of: "members" },
    ]);
    if (value.type === "robot") {
      context.addIssue({ code: "custom", path: ["type"], message: "must be agent, with kind robot" });
    }
    if (value.type !== "member") return;
    if (value.name !== undefined) {
      context.addIssue({ code: "custom", path: ["name"], message: "can't be given for members" });
    }
    if (value.role === undefined)
      context.addIssue({ code: "custom", path: ["role"], message: "is required" });
  });

const resource = z
  .strictObject({
    type: entityType,
    ...agentFields,
    server: glob.optional(),
  })
  .superRefine((value, context) => {
    forbidFields(context, value, [
      { fields: ["labels", "kind"], isMeant: value.type === "agent", of: "agents" },
      { fields: ["server"], isMeant: value.type === "tool", of: "tools" },
    ]);
    if (value.type === "robot") {
      context.addIssue({ code: "custom", path: ["type"], message: "must be agent, with kind robot" });
    }
  });

const approval = z.strictObject({
  role: z.enum(["operator", "admin"]).default("operator"),
  persons: wholeNumber(LIMITS.approvalPersons).default(LIMITS.approvalPersons.default),
  ttlSeconds: wholeNumber(LIMITS.approvalTtlSeconds).default(LIMITS.approvalTtlSeconds.default),
  validSeconds: wholeNumber(LIMITS.approvalValidSeconds).default(LIMITS.approvalValidSeconds.default),
  uses: wholeNumber(LIMITS.approvalUses).default(LIMITS.approvalUses.default),
  scope: z.enum(["exact", "tool"]).default("exact"),
  edits: z.boolean().default(false),
});

/** How a person approves where nothing else is said. */
export const USUAL_TERMS = approval.parse({});

const when = text(LIMITS.conditionLength).superRefine((value, context) => {
  const compiled = compileCondition(value);
  if (!("problems" in compiled)) return;
  for (const { message, start, end } of compiled.problems) {
    context.addIssue({ code: "custom", message: `${message} (characters ${start} to ${end})` });
  }
});

/** A policy as a person writes it. Without subjects or resources, it applies to all. */
export const policyRule = z
  .strictObject({
    name: name(LIMITS.policyNameLength),
    description: text(LIMITS.textLength).nullish(),
    enabled: z.boolean().default(true),
    mode: z.enum(PolicyMode).default("enforce"),
    effect: z.enum(PolicyEffect),
    subjects: z.array(subject).min(1).max(LIMITS.policyEntries).nullish(),
    actions: z.array(glob).min(1).max(LIMITS.policyEntries),
    resources: z.array(resource).min(1).max(LIMITS.policyEntries).nullish(),
    when: when.nullish(),
    approval: approval.nullish(),
  })
  .superRefine((value, context) => {
    if (getRuleSize(value) > LIMITS.policyBytes) {
      context.addIssue({ code: "custom", message: `must have at most ${LIMITS.policyBytes} bytes as JSON` });
    }
    if (value.effect === "ask" || !value.approval) return;
    context.addIssue({
      code: "custom",
      path: ["approval"],
      message: "can only be given with the effect ask",
    });
  })
  .transform((rule) => ({
    ...rule,
    description: rule.description ?? null,
    subjects: rule.subjects ?? null,
    resources: rule.resources ?? null,
    when: rule.when ?? null,
    approval: rule.effect === "ask" ? approval.parse(rule.approval ?? {}) : null,
  }));

/** The length of a rule as JSON, in bytes. */
export function getRuleSize(rule: object): number {
  return Buffer.byteLength(JSON.stringify(rule));
}

export type PolicyRule = z.output<typeof policyRule>;
export type PolicyRuleInput = z.input<typeof policyRule>;
export type PolicySubject = z.output<typeof subject>;
export type PolicyResource = z.output<typeof resource>;
/** How a person approves what a policy asks about. */
export type ApprovalTerms = z.output<typeof approval>;

type Exclusive = { fields: readonly string[]; isMeant: boolean; of: string };

/** Rejects fields that only another type has. */
function forbidFields(context: z.RefinementCtx, value: object, rules: readonly Exclusive[]): void {
  for (const { fields, isMeant, of } of rules) {
    if (isMeant) continue;
    for (const field of fields.filter((one) => Object.hasOwn(value, one))) {
      context.addIssue({ code: "custom", path: [field], message: `can only be given for ${of}` });
    }
  }
}
