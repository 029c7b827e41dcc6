import type { UserProblem } from "../../../data/problem.ts";
import type { Recent } from "./recent-missions.ts";
import { StepRow } from "./step-row.tsx";
import { EMPTY_STEP, type TypedStep } from "./step-types.ts";

export type StepRowsProps = {
  steps: readonly TypedStep[];
  onChange: (steps: readonly TypedStep[]) => void;
  recent: Recent;
  problem: UserProblem | null;
};

/** The steps of a new mission, one row each. */
export function StepRows({ steps, onChange, recent, problem }: StepRowsProps) {
  function add(): void {
    const id = Math.max(...steps.map((step) => step.id)) + 1;
    onChange([...steps, { ...EMPTY_STEP, id }]);
  }

  return (
    <fieldset className="stack-m">
      <legend className="label">Steps in order</legend>
      {steps.map((step, place) => (
        <StepRow
          key={step.id}
          step={step}
          place={place}
          recent={recent}
          problem={problem}
          onChange={(changed) => onChange(steps.map((each) => (each.id === step.id ? changed : each)))}
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
