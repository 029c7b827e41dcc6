import { SelectField } from "../../../ui/form/select-field.tsx";
import { formatCount } from "../../../ui/words.ts";
import type { EarlierMission } from "./mission-input.ts";
import type { Recent } from "./recent-missions.ts";

export type StartFromProps = { recent: Recent; onChoose: (mission: EarlierMission) => void };

/** Fills in the form as one of the last missions was. */
export function StartFrom({ recent: { missions }, onChoose }: StartFromProps) {
  if (missions.length === 0) return null;
  return (
    <SelectField
      label="Start from"
      name="like"
      value=""
      options={[
        ["", "Choose a recent mission"],
        ...missions.map(
          ({ uuid, title, steps }) => [uuid, `${title} (${formatCount(steps.length, "step")})`] as const,
        ),
      ]}
      onChange={(uuid) => {
        const mission = missions.find((each) => each.uuid === uuid);
        if (mission !== undefined) onChoose(mission);
      }}
    />
  );
}
