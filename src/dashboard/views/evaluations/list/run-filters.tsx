import { useUrlState } from "../../../data/use-url-state.ts";
import { Filters } from "../../../ui/form/filters.tsx";
import { optionsOf } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { SuggestField } from "../../tasks/list/suggest-field.tsx";
import { RUNS_STATE, RUN_STATUSES } from "./run-filter.ts";

/** What narrows the list of runs. */
export function RunFilters({ suites }: { suites: readonly string[] }) {
  const { values, set } = useUrlState(RUNS_STATE);
  return (
    <Filters>
      <SuggestField
        key={values.suite}
        label="Suite"
        name="suite"
        value={values.suite}
        known={suites}
        onChange={(suite) => set({ suite })}
      />
      <SelectField
        label="Status"
        name="status"
        value={values.status}
        options={optionsOf(RUN_STATUSES)}
        onChange={(status) => set({ status })}
      />
    </Filters>
  );
}
