import { type KeyboardEvent, useId, useState } from "react";
import type { UserProblem } from "../../../data/problem.ts";
import { Field } from "../../../ui/form/field.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { COMPARISON_WORDS } from "./describe-row.ts";
import { COMPARISONS, type TypedRow, isClock, isOptional, toConjunct } from "./to-conjunct.ts";

export type ConditionRowProps = {
  /** The row to begin with. Without one, a missing value counts as is safe for the effect. */
  initial?: TypedRow;
  /** The policy's effect. */
  effect: string;
  sendLabel: string;
  /** Takes the row as it is written in CEL. */
  onWrite: (text: string) => void;
  onBack?: () => void;
};

const EMPTY: TypedRow = { path: "", comparison: "more", value: "", holdsIfMissing: true, zone: "" };

const COMPARISON_OPTIONS: readonly Option[] = Object.entries(COMPARISON_WORDS);

const KNOWN = [
  ...["args.amount", "args.currency", "environment", "agent.handle", "agent.version", "agent.labels.team"],
  ...["counters.calls_last_minute", "counters.denials_last_hour", "counters.cost_today_microusd"],
  ...["counters.tokens_today", "hour", "weekday"],
  ...["resource.name", "resource.server", "action.name", "subject.type", "subject.id"],
];

/** Writes one comparison of a condition. */
export function ConditionRow({ initial, effect, sendLabel, onWrite, onBack }: ConditionRowProps) {
  const [row, setRow] = useState(initial ?? EMPTY);
  const [isChosen, setIsChosen] = useState(initial !== undefined);
  const [problem, setProblem] = useState<UserProblem | null>(null);
  // What denies or asks is on the safe side if it also applies where something is missing.
  const typed = { ...row, holdsIfMissing: isChosen ? row.holdsIfMissing : effect !== "ALLOW" };

  function write(): void {
    const written = toConjunct(typed);
    if ("problem" in written) {
      const fields = { [`row.${written.field}`]: written.problem };
      setProblem({ text: written.problem, code: "TYPED", fields });
      return;
    }
    setProblem(null);
    setRow(EMPTY);
    onWrite(written.text);
  }

  /** Enter would submit the whole policy. */
  function writeOnEnter(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    write();
  }

  return (
    <div
      className="stack-m policies-comparison"
      role="group"
      aria-label="Comparison"
      onKeyDown={writeOnEnter}
    >
      <RowFields
        row={typed}
        onChange={(changes) => {
          setIsChosen((was) => was || changes.holdsIfMissing !== undefined);
          setRow((now) => ({ ...now, ...changes }));
        }}
        problem={problem}
      />
      <div className="actions">
        <button type="button" className="button button-small" onClick={write}>
          {sendLabel}
        </button>
        {onBack !== undefined && (
          <button type="button" className="button button-small" onClick={onBack}>
            Back
          </button>
        )}
      </div>
    </div>
  );
}

type RowFieldsProps = {
  row: TypedRow;
  onChange: (changes: Partial<TypedRow>) => void;
  problem: UserProblem | null;
};

function RowFields({ row, onChange, problem }: RowFieldsProps) {
  const { path, comparison, value, holdsIfMissing, zone } = row;
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
      {isClock(path.trim()) && (
        <TextField
          label="Time zone"
          name="row.zone"
          hint="Such as Europe/Berlin. Empty: UTC."
          value={zone}
          onChange={(typed) => onChange({ zone: typed })}
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
    <Field
      label="What"
      name="row.path"
      hint="args are what the tool is called with; hour and weekday are of the time of the request."
      problem={problem}
    >
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
