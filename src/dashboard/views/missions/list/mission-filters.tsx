import { useUrlState } from "../../../data/use-url-state.ts";
import { Filters } from "../../../ui/form/filters.tsx";
import { optionsOf } from "../../../ui/form/option-list.ts";
import { RobotField } from "../../../ui/form/robot-field.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { MISSION_KINDS, MISSION_STATUSES } from "../mission-states.ts";
import { MISSIONS_STATE } from "./mission-filter.ts";

/** What narrows the list of missions. */
export function MissionFilters() {
  const { bind } = useUrlState(MISSIONS_STATE);
  return (
    <Filters>
      <SelectField label="Status" options={optionsOf(MISSION_STATUSES)} {...bind("status")} />
      <SelectField label="Kind" options={optionsOf(MISSION_KINDS)} {...bind("kind")} />
      <RobotField label="Robot" none="Any" {...bind("robot")} />
    </Filters>
  );
}
