import type { PolicyChangesInput as ChangesInput } from "../../domain/policies/draft-policies.ts";
import { builder } from "../builder.ts";
import { PolicyRuleInput, toRuleInput } from "./policy-rule.ts";

export const PolicyChangesInput = builder.inputType("PolicyChangesInput", {
  description: "Changes of policies that are tried, and not saved.",
  fields: (t) => ({
    rules: t.field({
      type: [PolicyRuleInput],
      description: "Rules to add, or to put in the place of the policies with their names. At most 500.",
    }),
    removed: t.stringList({ description: "The names of policies to delete." }),
  }),
});

export function toChanges({ rules, removed }: typeof PolicyChangesInput.$inferInput): ChangesInput {
  return { rules: (rules ?? []).map(toRuleInput), removed: removed ?? [] };
}
