import type { UserProblem } from "../../../data/problem.ts";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { TypedThreshold } from "./typed-budget.ts";

export type ThresholdRowsProps = {
  thresholds: readonly TypedThreshold[];
  onChange: (thresholds: readonly TypedThreshold[]) => void;
  problem: UserProblem | null;
};

const ACTION_OPTIONS: readonly Option[] = [
  ["WARN", "Warn"],
  ["ASK", "Ask a person first"],
  ["PAUSE", "Pause the agents"],
];

/** What happens when a share of the limit is used or reserved. */
export function ThresholdRows({ thresholds, onChange, problem }: ThresholdRowsProps) {
  function change(id: number, changes: Partial<TypedThreshold>): void {
    onChange(thresholds.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  }

  return (
    <fieldset className="stack-m">
      <legend className="legend">Thresholds</legend>
      {thresholds.length === 0 && <p className="soft">Nothing happens until the limit is reached.</p>}
      {thresholds.map(({ id, percent, action }, place) => (
        <div key={id} className="budgets-row" role="group" aria-label={`Threshold ${place + 1}`}>
          <TextField
            label="Percent"
            name={`thresholds.${place}.percent`}
            type="number"
            value={percent}
            onChange={(value) => change(id, { percent: value })}
            problem={problem}
            isRequired
          />
          <SelectField
            label="Then"
            name={`thresholds.${place}.action`}
            options={ACTION_OPTIONS}
            value={action}
            onChange={(value) => change(id, { action: value })}
            problem={problem}
          />
          <button
            type="button"
            className="button"
            aria-label={`Remove threshold ${place + 1}`}
            onClick={() => onChange(thresholds.filter((one) => one.id !== id))}
          >
            Remove
          </button>
        </div>
      ))}
      <div>
        <button
          type="button"
          className="button button-small"
          onClick={() => onChange([...thresholds, createThreshold(thresholds)])}
        >
          Add threshold
        </button>
      </div>
    </fieldset>
  );
}

function createThreshold(rows: readonly TypedThreshold[]): TypedThreshold {
  return { id: Math.max(0, ...rows.map(({ id }) => id)) + 1, percent: "", action: "WARN" };
}
