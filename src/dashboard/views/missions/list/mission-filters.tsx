import { useNewestRobots } from "../use-newest-robots.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Filters } from "../../../ui/form/filters.tsx";
import { optionsOf } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { MISSION_KINDS, MISSION_STATUSES } from "../mission-states.ts";
import { MISSIONS_STATE } from "./mission-filter.ts";

/** What narrows the list of missions. */
export function MissionFilters() {
  const { values, set } = useUrlState(MISSIONS_STATE);
  return (
    <Filters>
      <SelectField
        label="Status"
        name="status"
        value={values.status}
        options={optionsOf(MISSION_STATUSES)}
        onChange={(status) => set({ status })}
      />
      <SelectField
        label="Kind"
        name="kind"
        value={values.kind}
        options={optionsOf(MISSION_KINDS)}
        onChange={(kind) => set({ kind })}
      />
      <SelectField
        label="Robot"
        name="robot"
        value={values.robot}
        options={[["", "Any"], ...useNewestRobots()]}
        onChange={(robot) => set({ robot })}
      />
    </Filters>
  );
}
