import type { Problem } from "../../../data/problem.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useNewestRobots } from "../use-newest-robots.ts";
import type { TypedMission } from "./mission-input.ts";

/** Which robot is to go. */
export type RobotChoiceProps = {
  typed: TypedMission;
  onChange: (changes: Partial<TypedMission>) => void;
  problem: Problem | null;
};

/** Chooses one robot, or what any robot must have that takes the mission. */
export function RobotChoice({ typed, onChange, problem }: RobotChoiceProps) {
  return (
    <>
      <SelectField
        label="Robot"
        name="robotId"
        hint="Any: one that is free takes it."
        value={typed.robot}
        options={[["", "Any"], ...useNewestRobots()]}
        onChange={(robot) => onChange({ robot })}
        problem={problem}
      />
      {typed.robot === "" && (
        <div className="columns">
          <TextField
            label="Of the fleet"
            name="selector.fleet"
            hint="Empty for any."
            value={typed.fleet}
            onChange={(fleet) => onChange({ fleet })}
            problem={problem}
          />
          <TextField
            label="With labels"
            name="selector.labels"
            hint="All of them, such as site=hall-a"
            value={typed.labels}
            onChange={(labels) => onChange({ labels })}
            problem={problem}
          />
          <TextField
            label="Battery, at least (%)"
            name="minBatteryPercent"
            hint="Empty for any."
            type="number"
            value={typed.minBattery}
            onChange={(minBattery) => onChange({ minBattery })}
            problem={problem}
          />
        </div>
      )}
    </>
  );
}
