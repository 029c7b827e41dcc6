import { useState } from "react";
import type { UserProblem } from "../../../data/problem.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { Recent } from "./recent-missions.ts";
import { SpotDialog } from "./spot-dialog.tsx";
import type { Spot, TypedStep } from "./step-types.ts";

export type StepFieldsProps = {
  step: TypedStep;
  /** The step's name in the input, such as `steps.0`. */
  name: string;
  recent: Recent;
  problem: UserProblem | null;
  onChange: (changes: Partial<TypedStep>) => void;
};

/** The fields of a step's type, or its params as JSON. */
export function StepFields(props: StepFieldsProps) {
  const { step, name, recent, problem, onChange } = props;
  if (step.json !== null)
    return (
      <TextField
        label="Params (JSON)"
        name={`${name}.params`}
        placeholder='{"lane": 4}'
        value={step.json}
        onChange={(json) => onChange({ json })}
        problem={problem}
      />
    );
  if (step.type === "MOVE") return <Destination {...props} />;
  if (step.type === "WAIT")
    return (
      <TextField
        label="Seconds"
        name={`${name}.seconds`}
        type="number"
        value={step.seconds}
        onChange={(seconds) => onChange({ seconds })}
        problem={problem}
      />
    );
  return (
    <>
      <TextField
        label="Action"
        name={`${name}.action`}
        known={recent.actions}
        value={step.action}
        onChange={(action) => onChange({ action })}
        problem={problem}
      />
      <Station {...props} label="At station" />
    </>
  );
}

function Station({ step, name, recent, problem, onChange, label }: StepFieldsProps & { label: string }) {
  return (
    <TextField
      label={label}
      name={`${name}.station`}
      known={recent.stations}
      value={step.station}
      onChange={(station) => onChange({ station })}
      problem={problem}
    />
  );
}

/** A station, or a place on a map. */
function Destination(props: StepFieldsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { step, onChange } = props;
  return (
    <>
      {step.spot === null ? (
        <Station {...props} label="To station" />
      ) : (
        <p className="field">
          <span className="label">To</span>
          <span>
            {describeSpot(step.spot)}{" "}
            <button type="button" className="button button-link" onClick={() => onChange({ spot: null })}>
              To a station instead
            </button>
          </span>
        </p>
      )}
      <button type="button" className="button button-small" onClick={() => setIsOpen(true)}>
        Choose on the map
      </button>
      <SpotDialog
        isOpen={isOpen}
        spot={step.spot}
        onClose={() => setIsOpen(false)}
        onChoose={(spot) => onChange({ spot, station: "" })}
      />
    </>
  );
}

function describeSpot({ x, y, mapId }: Spot): string {
  return `${x} m, ${y} m on ${mapId}`;
}
