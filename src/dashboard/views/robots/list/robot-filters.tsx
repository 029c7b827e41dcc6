import { useUrlState } from "../../../data/use-url-state.ts";
import { Filters } from "../../../ui/form/filters.tsx";
import { optionsOf } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { SuggestField } from "../../../ui/form/suggest-field.tsx";
import { CONTROL_STATES } from "../../agents/list/agent-filter.ts";
import { ROBOTS_STATE, ROBOT_STATUSES } from "./robot-filter.ts";

/** What narrows the robots, on the map and in rows. */
export function RobotFilters({ fleets }: { fleets: readonly string[] }) {
  const { values, bind } = useUrlState(ROBOTS_STATE);
  return (
    <Filters>
      <TextField label="Search robots" type="search" {...bind("q")} />
      <SelectField label="Status" options={optionsOf(ROBOT_STATUSES)} {...bind("status")} />
      <SelectField label="Control state" options={optionsOf(CONTROL_STATES)} {...bind("control")} />
      <SuggestField key={values.fleet} label="Fleet" known={fleets} {...bind("fleet")} />
    </Filters>
  );
}
