import type { UserProblem } from "../../../data/problem.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { toWords } from "../../../ui/words.ts";
import { MISSION_KINDS } from "../mission-states.ts";
import type { TypedMission } from "./mission-input.ts";
import type { Recent } from "./recent-missions.ts";
import { RobotChoice } from "./robot-choice.tsx";
import { StepRows } from "./step-rows.tsx";

export type MissionFieldsProps = {
  typed: TypedMission;
  recent: Recent;
  onChange: (changes: Partial<TypedMission>) => void;
  problem: UserProblem | null;
};

/** What a new mission is: its name, its robot and its steps. */
export function MissionFields({ typed, recent, onChange, problem }: MissionFieldsProps) {
  return (
    <>
      <TextField
        label="Title"
        name="title"
        value={typed.title}
        onChange={(title) => onChange({ title })}
        problem={problem}
        isRequired
      />
      <SelectField
        label="Kind"
        name="kind"
        value={typed.kind}
        options={MISSION_KINDS.map((kind) => [kind, toWords(kind)] as const)}
        onChange={(kind) => onChange({ kind })}
        problem={problem}
      />
      <TextField
        label="Priority"
        hint="0 to 9. Missions with 9 are assigned first."
        name="priority"
        type="number"
        value={typed.priority}
        onChange={(priority) => onChange({ priority })}
        problem={problem}
      />
      <RobotChoice typed={typed} places={recent.places} onChange={onChange} problem={problem} />
      <StepRows
        steps={typed.steps}
        onChange={(steps) => onChange({ steps })}
        recent={recent}
        problem={problem}
      />
    </>
  );
}
