import { useState } from "react";
import type { UserProblem } from "../../../data/problem.ts";
import { CheckField } from "../../../ui/form/check-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { TextField, type TextFieldProps } from "../../../ui/form/text-field.tsx";
import { type BudgetChanges, toBudgetChanges } from "./budget-input.ts";
import { RuleFields } from "./rule-fields.tsx";
import { ThresholdRows } from "./threshold-rows.tsx";
import type { TypedBudget } from "./typed-budget.ts";

export type BudgetFormProps = {
  initial: TypedBudget;
  /** Whether it is a new one. Whose use of what counts can't be changed later. */
  isNew: boolean;
  sendLabel: string;
  onSave: (changes: BudgetChanges, typed: TypedBudget) => void;
  isBusy: boolean;
  /** Why it wasn't saved. */
  problem: UserProblem | null;
};

const EXPIRY_OPTIONS: readonly Option[] = [
  ["CHARGE", "Counts as used"],
  ["RELEASE", "Is given back"],
];

/** A budget as a form. */
export function BudgetForm({ initial, isNew, sendLabel, onSave, isBusy, problem: refused }: BudgetFormProps) {
  const [typed, setTyped] = useState(initial);
  const [typing, setTyping] = useState<UserProblem | null>(null);
  const problem = typing ?? refused;

  function change(changes: Partial<TypedBudget>): void {
    setTyped((now) => ({ ...now, ...changes }));
  }

  function save(): void {
    const { changes, problem: unreadable } = toBudgetChanges(typed);
    setTyping(unreadable);
    if (unreadable === null) onSave(changes, typed);
  }

  function bind(name: "name" | "description" | "limit" | "defaultEstimate" | "onExpiry") {
    return { name, value: typed[name], problem, onChange: (value: string) => change({ [name]: value }) };
  }

  return (
    <div className="card budgets-form">
      <Form sendLabel={sendLabel} onSend={save} isBusy={isBusy} problem={problem}>
        <TextField label="Name" isRequired {...bind("name")} />
        <TextField label="Description" {...bind("description")} />
        {isNew && <RuleFields typed={typed} onChange={change} problem={problem} />}
        <TextField
          label="Limit"
          hint={typed.unit === "USD" ? "Dollars, such as 12.50." : "A whole number."}
          isRequired
          {...bind("limit")}
        />
        <ThresholdRows
          thresholds={typed.thresholds}
          onChange={(thresholds) => change({ thresholds })}
          problem={problem}
        />
        {typed.unit !== "CALLS" && (
          <EstimateFields estimate={bind("defaultEstimate")} expiry={bind("onExpiry")} />
        )}
        <CheckField
          label="Enabled"
          name="enabled"
          isChecked={typed.enabled}
          onChange={(enabled) => change({ enabled })}
        />
      </Form>
    </div>
  );
}

type Bound = Pick<TextFieldProps, "name" | "value" | "problem" | "onChange">;

/** What counts where an agent doesn't say it. A call always counts as one. */
function EstimateFields({ estimate, expiry }: { estimate: Bound; expiry: Bound }) {
  return (
    <div className="columns">
      <TextField
        label="Estimate"
        hint="Reserved where an agent doesn’t say how much."
        isRequired
        {...estimate}
      />
      <SelectField label="What nobody settles in time" options={EXPIRY_OPTIONS} {...expiry} />
    </div>
  );
}
