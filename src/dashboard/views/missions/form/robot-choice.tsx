import type { UserProblem } from "../../../data/problem.ts";
import { RobotField } from "../../../ui/form/robot-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { findFirstPlace, measure } from "./first-place.ts";
import type { TypedMission } from "./mission-input.ts";
import type { Spot } from "./step-types.ts";

export type RobotChoiceProps = {
  typed: TypedMission;
  /** Where the stations are. */
  places: ReadonlyMap<string, Spot>;
  onChange: (changes: Partial<TypedMission>) => void;
  problem: UserProblem | null;
};

/** Chooses one robot, or the requirements for any robot. */
export function RobotChoice({ typed, places, onChange, problem }: RobotChoiceProps) {
  function bind(key: "robot" | "fleet" | "labels" | "minBattery", name: string) {
    return { name, value: typed[key], onChange: (value: string) => onChange({ [key]: value }), problem };
  }

  const goal = findFirstPlace(typed.steps, places);
  return (
    <>
      <RobotField
        label="Robot"
        hint={
          goal === null ? "Any: the next free robot." : "Any: the next free robot. The nearest come first."
        }
        none="Any"
        measure={(position) => measure(position, goal)}
        {...bind("robot", "robotId")}
      />
      {typed.robot === "" && (
        <div className="columns">
          <TextField label="Fleet" hint="Leave empty for any." {...bind("fleet", "selector.fleet")} />
          <TextField
            label="Labels"
            hint="It must have all: site=hall-a"
            {...bind("labels", "selector.labels")}
          />
          <TextField
            label="Minimum battery (%)"
            hint="Leave empty for any."
            type="number"
            {...bind("minBattery", "minBatteryPercent")}
          />
        </div>
      )}
    </>
  );
}
