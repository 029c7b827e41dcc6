import { type KeyboardEvent, useId, useState } from "react";
import type { UserProblem } from "../../../data/problem.ts";
import { Field } from "../../../ui/form/field.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { COMPARISONS, type TypedRow, isOptional, joinConditions, toConjunct } from "./to-conjunct.ts";

export type ConditionRowProps = {
  when: string;
  onChange: (when: string) => void;
  /** The policy's effect. */
  effect: string;
};

const EMPTY: TypedRow = { path: "", comparison: "more", value: "", holdsIfMissing: true };

const COMPARISON_OPTIONS: readonly Option[] = [
  ["is", "is"],
  ["isNot", "is not"],
  ["less", "is less than"],
  ["atMost", "is at most"],
  ["more", "is more than"],
  ["atLeast", "is at least"],
  ["oneOf", "is one of"],
  ["glob", "matches, with * for any text"],
  ["present", "is there"],
  ["absent", "is missing"],
];

const KNOWN = [
  ...["args.amount", "args.currency", "environment", "agent.handle", "agent.version", "agent.labels.team"],
  ...["counters.calls_last_minute", "counters.denials_last_hour"],
  ...["resource.name", "resource.server", "action.name", "subject.type", "subject.id"],
];

/** Writes a comparison, and adds it to the condition. */
export function ConditionRow({ when, onChange, effect }: ConditionRowProps) {
  const [row, setRow] = useState(EMPTY);
  const [isChosen, setIsChosen] = useState(false);
  const [problem, setProblem] = useState<UserProblem | null>(null);
  // What denies or asks is on the safe side if it also applies where something is missing.
  const typed = { ...row, holdsIfMissing: isChosen ? row.holdsIfMissing : effect !== "ALLOW" };

  function add(): void {
    const written = toConjunct(typed);
    if ("problem" in written) {
      const fields = { [`row.${written.field}`]: written.problem };
      setProblem({ text: written.problem, code: "TYPED", fields });
      return;
    }
    setProblem(null);
    setRow(EMPTY);
    onChange(joinConditions(when, written.text));
  }

  /** Enter would submit the whole policy. */
  function addOnEnter(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    add();
  }

  return (
    <details className="fold">
      <summary>Add a comparison</summary>
      <div
        className="stack-m policies-comparison"
        role="group"
        aria-label="Comparison"
        onKeyDown={addOnEnter}
      >
        <RowFields
          row={typed}
          onChange={(changes) => {
            setIsChosen((was) => was || changes.holdsIfMissing !== undefined);
            setRow((now) => ({ ...now, ...changes }));
          }}
          problem={problem}
        />
        <div>
          <button type="button" className="button button-small" onClick={add}>
            Add to the condition
          </button>
        </div>
      </div>
    </details>
  );
}

type RowFieldsProps = {
  row: TypedRow;
  onChange: (changes: Partial<TypedRow>) => void;
  problem: UserProblem | null;
};

function RowFields({ row, onChange, problem }: RowFieldsProps) {
  const { path, comparison, value, holdsIfMissing } = row;
  const takesValue = comparison !== "present" && comparison !== "absent";
  return (
    <div className="columns">
      <PathField value={path} onChange={(typed) => onChange({ path: typed })} problem={problem} />
      <SelectField
        label="Comparison"
        name="row.comparison"
        options={COMPARISON_OPTIONS}
        value={comparison}
        onChange={(chosen) => onChange({ comparison: COMPARISONS.find((one) => one === chosen) ?? "is" })}
      />
      {takesValue && (
        <TextField
          label={comparison === "oneOf" ? "Values, with commas between them" : "Value"}
          name="row.value"
          value={value}
          onChange={(typed) => onChange({ value: typed })}
          problem={problem}
        />
      )}
      {takesValue && isOptional(path.trim()) && (
        <SelectField
          label="If it is missing"
          name="row.missing"
          options={MISSING_OPTIONS}
          value={holdsIfMissing ? "yes" : "no"}
          onChange={(chosen) => onChange({ holdsIfMissing: chosen === "yes" })}
        />
      )}
    </div>
  );
}

const MISSING_OPTIONS: readonly Option[] = [
  ["yes", "The policy applies"],
  ["no", "The policy doesn’t apply"],
];

type PathFieldProps = { value: string; onChange: (path: string) => void; problem: UserProblem | null };

function PathField({ value, onChange, problem }: PathFieldProps) {
  const known = useId();
  return (
    <Field label="What" name="row.path" hint="args are what the tool is called with." problem={problem}>
      {(control) => (
        <>
          <input
            {...control}
            className="input"
            list={known}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <datalist id={known}>
            {KNOWN.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
