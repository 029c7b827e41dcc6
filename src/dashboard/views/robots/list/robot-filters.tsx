import { useUrlState } from "../../../data/use-url-state.ts";
import { Filters } from "../../../ui/form/filters.tsx";
import { optionsOf } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { SuggestField } from "../../tasks/list/suggest-field.tsx";
import { ROBOTS_STATE, ROBOT_STATUSES } from "./robot-filter.ts";

/** What narrows the robots, on the map and in rows. */
export function RobotFilters({ fleets }: { fleets: readonly string[] }) {
  const { values, set } = useUrlState(ROBOTS_STATE);
  return (
    <Filters>
      <TextField label="Search robots" name="q" type="search" value={values.q} onChange={(q) => set({ q })} />
      <SelectField
        label="Status"
        name="status"
        value={values.status}
        options={optionsOf(ROBOT_STATUSES)}
        onChange={(status) => set({ status })}
      />
      <SuggestField
        key={values.fleet}
        label="Fleet"
        name="fleet"
        value={values.fleet}
        known={fleets}
        onChange={(fleet) => set({ fleet })}
      />
    </Filters>
  );
}
