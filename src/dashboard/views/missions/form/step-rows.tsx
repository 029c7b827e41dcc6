import type { UserProblem } from "../../../data/problem.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { toWords } from "../../../ui/words.ts";
import { STEP_TYPES, type TypedStep } from "./mission-input.ts";

export type StepRowsProps = {
  steps: readonly TypedStep[];
  onChange: (steps: readonly TypedStep[]) => void;
  problem: UserProblem | null;
};

/** The steps of a new mission, one row each. */
export function StepRows({ steps, onChange, problem }: StepRowsProps) {
  function change(id: number, changes: Partial<TypedStep>): void {
    onChange(steps.map((step) => (step.id === id ? { ...step, ...changes } : step)));
  }

  function add(): void {
    const id = Math.max(...steps.map((step) => step.id)) + 1;
    onChange([...steps, { id, key: "", type: "MOVE", params: "" }]);
  }

  return (
    <fieldset className="stack-m">
      <legend className="label">Steps in order</legend>
      {steps.map((step, place) => (
        <StepRow
          key={step.id}
          step={step}
          place={place}
          problem={problem}
          onChange={(changes) => change(step.id, changes)}
          onRemove={steps.length === 1 ? null : () => onChange(steps.filter(({ id }) => id !== step.id))}
        />
      ))}
      <div>
        <button type="button" className="button button-small" onClick={add}>
          Add step
        </button>
      </div>
    </fieldset>
  );
}

type StepRowProps = {
  step: TypedStep;
  place: number;
  problem: UserProblem | null;
  onChange: (changes: Partial<TypedStep>) => void;
  /** Null if it is the only step. */
  onRemove: (() => void) | null;
};

function StepRow({ step, place, problem, onChange, onRemove }: StepRowProps) {
  const name = `steps.${place}`;
  return (
    <div className="missions-step" role="group" aria-label={`Step ${place + 1}`}>
      <TextField
        label="Key"
        name={`${name}.key`}
        placeholder="drive"
        value={step.key}
        onChange={(key) => onChange({ key })}
        problem={problem}
        isRequired
      />
      <SelectField
        label="Type"
        name={`${name}.type`}
        value={step.type}
        options={STEP_TYPES.map((type) => [type, toWords(type)] as const)}
        onChange={(type) => onChange({ type })}
        problem={problem}
      />
      <TextField
        label="Params (JSON)"
        name={`${name}.params`}
        placeholder='{"to": "dock-1"}'
        value={step.params}
        onChange={(params) => onChange({ params })}
        problem={problem}
      />
      {onRemove !== null && (
        <button type="button" className="button" onClick={onRemove} aria-label={`Remove step ${place + 1}`}>
          Remove
        </button>
      )}
    </div>
  );
}
