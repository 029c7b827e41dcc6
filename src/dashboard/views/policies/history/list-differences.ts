import type { Difference } from "../../../ui/difference.ts";
import type { StoredRule } from "../policy-fields.ts";
import { describeResources, describeSubjects } from "../words/describe-scope.ts";
import { describeTerms } from "../words/describe-terms.ts";

type Rule = StoredRule;

const FIELDS: readonly (readonly [field: string, name: keyof Rule, describe: (rule: Rule) => string])[] = [
  ["Name", "name", ({ name }) => name],
  ["Description", "description", ({ description }) => description ?? "none"],
  ["Enabled", "enabled", ({ enabled }) => (enabled ? "yes" : "no")],
  ["Mode", "mode", ({ mode }) => (mode === "ENFORCE" ? "enforced" : "monitored")],
  ["Effect", "effect", ({ effect }) => EFFECTS[effect]],
  ["Who", "subjects", ({ subjects }) => describeSubjects(subjects)],
  ["Does", "actions", ({ actions }) => actions.join(", ")],
  ["On", "resources", ({ resources }) => describeResources(resources)],
  ["When", "when", ({ when }) => when ?? "always"],
  [
    "Approval",
    "approval",
    ({ approval }) => (approval === null ? "none" : describeTerms(approval).join(" ")),
  ],
];

const EFFECTS = { ALLOW: "allow", ASK: "ask a person", DENY: "deny" } as const;

/** The fields that differ between two rules. */
export function listDifferences(before: Rule, after: Rule): Difference[] {
  return FIELDS.filter(([, name]) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).map(
    ([field, , describe]) => ({ field, before: describe(before), after: describe(after) }),
  );
}
