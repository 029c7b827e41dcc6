import type { VariablesOf } from "gql.tada";
import type { UserProblem } from "../../../data/problem.ts";
import { EFFECTS, MODES } from "../policy-fields.ts";
import type { CreatePolicy } from "./policy-mutations.ts";
import { parseTypedLabels } from "./typed-labels.ts";
import type { TypedEntity, TypedPolicy, TypedTerms } from "./typed-policy.ts";

export type RuleInput = VariablesOf<typeof CreatePolicy>["rule"];

/** The parsed rule, without what can't be read, and why that can't be read. */
export type ParsedPolicy = { rule: RuleInput; problem: UserProblem | null };

type Fields = Record<string, string>;
type Subjects = NonNullable<RuleInput["subjects"]>;
type Resources = NonNullable<RuleInput["resources"]>;
type Terms = NonNullable<RuleInput["approval"]>;

/** Parses the form. What can't be sent at all is found here, everything else by the server. */
export function toRuleInput(typed: TypedPolicy): ParsedPolicy {
  const { name, description, when, effect, mode, enabled, subjects, actions, resources, terms } = typed;
  const fields: Fields = {};
  const rule: RuleInput = {
    name,
    enabled,
    actions: actions.map((action) => action.name.trim()),
    effect: EFFECTS.find((one) => one === effect) ?? "ASK",
    mode: MODES.find((one) => one === mode) ?? "ENFORCE",
    description: description.trim() === "" ? null : description,
    when: when.trim() === "" ? null : when,
    subjects: subjects.length === 0 ? null : toSubjects(subjects, fields),
    resources: resources.length === 0 ? null : toResources(resources, fields),
    approval: effect === "ASK" ? toTerms(terms, fields) : null,
  };
  const isReadable = Object.keys(fields).length === 0;
  return { rule, problem: isReadable ? null : { text: "Some fields are invalid.", code: "TYPED", fields } };
}

function toSubjects(subjects: readonly TypedEntity[], fields: Fields): Subjects {
  return subjects.map((subject, place) => ({
    type: subject.type.trim(),
    ...(subject.type === "member"
      ? { role: ROLES.find((role) => role === subject.role) ?? null }
      : toNamed(subject, `subjects.${place}`, fields)),
  }));
}

function toResources(resources: readonly TypedEntity[], fields: Fields): Resources {
  return resources.map((resource, place) => ({
    type: resource.type.trim(),
    ...toNamed(resource, `resources.${place}`, fields),
    ...(resource.type === "tool" && { server: toText(resource.server) }),
  }));
}

function toNamed({ type, name, kind, labels }: TypedEntity, path: string, fields: Fields) {
  if (type !== "agent") return { name: toText(name) };
  const parsed = parseTypedLabels(labels);
  if (parsed === undefined) fields[`${path}.labels`] = "Enter labels as name=value, separated by commas.";
  return {
    name: toText(name),
    kind: KINDS.find((one) => one === kind) ?? null,
    labels: parsed ?? null,
  };
}

const ROLES = ["VIEWER", "OPERATOR", "ADMIN", "OWNER"] as const;
const KINDS = ["SOFTWARE", "ROBOT"] as const;

function toText(typed: string): string | null {
  return typed.trim() === "" ? null : typed.trim();
}

function toTerms(terms: TypedTerms, fields: Fields): Terms {
  return {
    role: terms.role === "ADMIN" ? "ADMIN" : "OPERATOR",
    persons: toNumber(terms, "persons", fields),
    ttlSeconds: toNumber(terms, "ttlSeconds", fields),
    validSeconds: toNumber(terms, "validSeconds", fields),
    uses: toNumber(terms, "uses", fields),
    scope: terms.scope === "TOOL" ? "TOOL" : "EXACT",
    edits: terms.edits,
  };
}

/** What GraphQL calls an Int. The server knows the ranges. */
function toNumber(
  terms: TypedTerms,
  name: "persons" | "ttlSeconds" | "validSeconds" | "uses",
  fields: Fields,
): number | null {
  const value = Number(terms[name]);
  if (terms[name].trim() !== "" && Number.isInteger(value) && Math.abs(value) < 2 ** 31) return value;
  fields[`approval.${name}`] = "Enter a whole number.";
  return null;
}
