import type { UserProblem } from "../../../data/problem.ts";
import { RobotField } from "../../../ui/form/robot-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { TypedMission } from "./mission-input.ts";

/** Which robot is to go. */
export type RobotChoiceProps = {
  typed: TypedMission;
  onChange: (changes: Partial<TypedMission>) => void;
  problem: UserProblem | null;
};

/** Chooses one robot, or what any robot must have that takes the mission. */
export function RobotChoice({ typed, onChange, problem }: RobotChoiceProps) {
  function bind(key: "robot" | "fleet" | "labels" | "minBattery", name: string) {
    return { name, value: typed[key], onChange: (value: string) => onChange({ [key]: value }), problem };
  }

  return (
    <>
      <RobotField
        label="Robot"
        hint="Any: one that is free takes it."
        none="Any"
        {...bind("robot", "robotId")}
      />
      {typed.robot === "" && (
        <div className="columns">
          <TextField label="Of the fleet" hint="Empty for any." {...bind("fleet", "selector.fleet")} />
          <TextField
            label="With labels"
            hint="All of them, such as site=hall-a"
            {...bind("labels", "selector.labels")}
          />
          <TextField
            label="Battery, at least (%)"
            hint="Empty for any."
            type="number"
            {...bind("minBattery", "minBatteryPercent")}
          />
        </div>
      )}
    </>
  );
}
