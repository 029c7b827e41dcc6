import type { ResultOf } from "gql.tada";
import { useState } from "react";
import type { UserProblem } from "../../../data/problem.ts";
import { useSearch } from "../../../data/use-search.ts";
import { useSettled } from "../../../data/use-settled.ts";
import type { RuleInput } from "./policy-input.ts";
import { ValidatePolicy } from "./policy-mutations.ts";

export type Validation = ResultOf<typeof ValidatePolicy>["validatePolicy"];
export type RuleProblem = Validation["errors"][number];

/** What the server says to a rule while it is written, and to which: as JSON, and its condition. */
export type Checked = {
  of: string;
  when: string;
  errors: readonly RuleProblem[];
  warnings: readonly RuleProblem[];
};

const UNCHECKED: Checked = { of: "", when: "", errors: [], warnings: [] };

/** Checks a rule after each pause in typing. Until the answer arrives, the previous one. */
export function useValidation(rule: RuleInput): Checked {
  const settled = useSettled(JSON.stringify(rule));
  // Parses what was serialised above.
  const asked = JSON.parse(settled) as RuleInput;
  const { data } = useSearch(ValidatePolicy, { rule: asked });
  const [last, setLast] = useState<{ data: typeof data; checked: Checked }>({
    data: null,
    checked: UNCHECKED,
  });
  if (data !== null && data !== last.data) {
    setLast({ data, checked: { of: settled, when: asked.when ?? "", ...data.validatePolicy } });
  }
  return last.checked;
}

/** Errors next to the fields that the user has left. Those of the condition have places of their own. */
export function toFieldProblem(
  { of, errors }: Checked,
  rule: RuleInput,
  left: ReadonlySet<string>,
): UserProblem | null {
  const isOutdated = of !== JSON.stringify(rule);
  const shown = errors.filter(({ field }) => field !== "when" && left.has(field));
  if (isOutdated || shown.length === 0) return null;
  return {
    text: "Some fields are invalid.",
    code: "CHECKED",
    fields: Object.fromEntries(shown.map(({ field, message }) => [field, message])),
  };
}
