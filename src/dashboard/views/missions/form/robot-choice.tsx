import type { UserProblem } from "../../../data/problem.ts";
import { RobotField } from "../../../ui/form/robot-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { TypedMission } from "./mission-input.ts";

export type RobotChoiceProps = {
  typed: TypedMission;
  onChange: (changes: Partial<TypedMission>) => void;
  problem: UserProblem | null;
};

/** Chooses one robot, or the requirements for any robot. */
export function RobotChoice({ typed, onChange, problem }: RobotChoiceProps) {
  function bind(key: "robot" | "fleet" | "labels" | "minBattery", name: string) {
    return { name, value: typed[key], onChange: (value: string) => onChange({ [key]: value }), problem };
  }

  return (
    <>
      <RobotField label="Robot" hint="Any: the next free robot." none="Any" {...bind("robot", "robotId")} />
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
