import { useState } from "react";
import type { UserProblem } from "../../../data/problem.ts";
import { CheckField } from "../../../ui/form/check-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import type { Option } from "../../../ui/form/select-field.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { toPolicyChanges } from "../try/policy-changes.ts";
import { Simulation } from "../try/simulation.tsx";
import { TestRequest, type TestRequestProps } from "../try/test-request.tsx";
import { ApprovalFields } from "./approval-fields.tsx";
import { ConditionRows } from "./condition-rows.tsx";
import { ConditionEditor } from "./condition-editor.tsx";
import { type RuleInput, toRuleInput } from "./policy-input.ts";
import { ScopeFields } from "./scope-fields.tsx";
import type { TypedPolicy } from "./typed-policy.ts";
import { useLeftFields } from "./use-left-fields.ts";
import { toFieldProblem, useValidation } from "./use-validation.ts";

export type PolicyFormProps = {
  initial: TypedPolicy;
  /** The name of the saved policy; null for a new one. */
  saved: string | null;
  /** The request that it is tried with first. */
  tried?: TestRequestProps["initial"];
  sendLabel: string;
  onSave: (rule: RuleInput) => void;
  isBusy: boolean;
  /** Why it wasn't saved. */
  problem: UserProblem | null;
};

const EFFECTS: readonly Option[] = [
  ["ALLOW", "Allow"],
  ["ASK", "Ask a person"],
  ["DENY", "Deny"],
];
const MODES: readonly Option[] = [
  ["ENFORCE", "Enforce: it decides"],
  ["MONITOR", "Monitor: only log what it would change"],
];

/** A policy's rule as a form. It is checked while it is written. */
export function PolicyForm(props: PolicyFormProps) {
  const { initial, saved, tried, sendLabel, onSave, isBusy, problem: refused } = props;
  const [typed, setTyped] = useState(initial);
  const { left, leave } = useLeftFields();
  const [typing, setTyping] = useState<UserProblem | null>(null);
  const { rule, problem: unreadable } = toRuleInput(typed);
  const checked = useValidation(rule);
  const failed = typing ?? refused;
  const problem = joinProblems(failed, toFieldProblem(checked, rule, left));

  function change(changes: Partial<TypedPolicy>): void {
    setTyped((now) => ({ ...now, ...changes }));
  }

  function save(): void {
    setTyping(unreadable);
    if (unreadable === null) onSave(rule);
  }

  const changes = toPolicyChanges(rule, saved);
  return (
    <div className="stack">
      <div className="card policies-form" onBlur={leave}>
        <Form sendLabel={sendLabel} onSend={save} isBusy={isBusy} problem={failed}>
          <RuleFields typed={typed} onChange={change} problem={problem} />
          <ConditionEditor value={typed.when} onChange={(when) => change({ when })} checked={checked} />
          <ConditionRows when={typed.when} onChange={(when) => change({ when })} effect={typed.effect} />
          {typed.effect === "ASK" && (
            <ApprovalFields terms={typed.terms} onChange={(terms) => change({ terms })} problem={problem} />
          )}
          <CheckField
            label="Enabled"
            name="enabled"
            isChecked={typed.enabled}
            onChange={(enabled) => change({ enabled })}
          />
        </Form>
      </div>
      <Simulation changes={changes} />
      <TestRequest changes={changes} initial={tried} />
    </div>
  );
}

type RuleFieldsProps = {
  typed: TypedPolicy;
  onChange: (changes: Partial<TypedPolicy>) => void;
  problem: UserProblem | null;
};

function RuleFields({ typed, onChange, problem }: RuleFieldsProps) {
  function bind(name: "name" | "description" | "effect" | "mode") {
    return {
      name,
      value: typed[name],
      problem,
      onChange: (value: string) => onChange({ [name]: value }),
    };
  }

  return (
    <>
      <div className="columns">
        <TextField label="Name" isRequired {...bind("name")} />
        <SelectField label="Effect" options={EFFECTS} {...bind("effect")} />
        <SelectField label="Mode" options={MODES} {...bind("mode")} />
      </div>
      <TextField label="Description" {...bind("description")} />
      <ScopeFields typed={typed} onChange={onChange} problem={problem} />
    </>
  );
}

/** Why it wasn't saved, with what was found since. */
function joinProblems(failed: UserProblem | null, found: UserProblem | null): UserProblem | null {
  if (failed === null || found === null) return failed ?? found;
  return { ...failed, fields: { ...failed.fields, ...found.fields } };
}
