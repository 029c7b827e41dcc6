import type { UserProblem } from "../../../data/problem.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { toWords } from "../../../ui/words.ts";
import type { Recent } from "./recent-missions.ts";
import { StepFields } from "./step-fields.tsx";
import { STEP_TYPES, type TypedStep, changeType, proposeKey, toParams } from "./step-types.ts";

export type StepRowProps = {
  step: TypedStep;
  place: number;
  recent: Recent;
  problem: UserProblem | null;
  onChange: (step: TypedStep) => void;
  /** Null if it is the only step. */
  onRemove: (() => void) | null;
};

/** One step: what the robot does, where, and how the step is called. */
export function StepRow({ step, place, recent, problem, onChange, onRemove }: StepRowProps) {
  const name = `steps.${place}`;
  return (
    <div className="missions-step" role="group" aria-label={`Step ${place + 1}`}>
      <SelectField
        label="Type"
        name={`${name}.type`}
        value={step.type}
        options={STEP_TYPES.map((type) => [type, toWords(type)] as const)}
        onChange={(value) => {
          const type = STEP_TYPES.find((each) => each === value);
          if (type !== undefined) onChange(changeType(step, type));
        }}
        problem={problem}
      />
      <div className="missions-step-fields">
        <StepFields
          step={step}
          name={name}
          recent={recent}
          problem={problem}
          onChange={(changes) => onChange({ ...step, ...changes })}
        />
      </div>
      <TextField
        label="Key"
        name={`${name}.key`}
        placeholder={proposeKey(step, new Set())}
        value={step.key}
        onChange={(key) => onChange({ ...step, key })}
        problem={problem}
      />
      <StepButtons step={step} place={place} onChange={onChange} onRemove={onRemove} />
    </div>
  );
}

type StepButtonsProps = Pick<StepRowProps, "step" | "place" | "onChange" | "onRemove">;

function StepButtons({ step, place, onChange, onRemove }: StepButtonsProps) {
  const which = `step ${place + 1}`;
  return (
    <div className="actions missions-step-buttons">
      {step.type !== "CUSTOM" && (
        <button
          type="button"
          className="button button-small"
          aria-label={step.json === null ? `Edit ${which} as JSON` : `Edit ${which} in fields`}
          onClick={() =>
            onChange({ ...step, json: step.json === null ? JSON.stringify(toParams(step)) : null })
          }
        >
          {step.json === null ? "JSON" : "Fields"}
        </button>
      )}
      {onRemove !== null && (
        <button
          type="button"
          className="button button-small"
          onClick={onRemove}
          aria-label={`Remove ${which}`}
        >
          Remove
        </button>
      )}
    </div>
  );
}
