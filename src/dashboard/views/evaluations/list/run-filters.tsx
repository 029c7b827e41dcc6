import { useUrlState } from "../../../data/use-url-state.ts";
import { Filters } from "../../../ui/form/filters.tsx";
import { optionsOf } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { SuggestField } from "../../../ui/form/suggest-field.tsx";
import { RUNS_STATE, RUN_STATUSES } from "./run-filter.ts";

/** What narrows the list of runs. */
export function RunFilters({ suites }: { suites: readonly string[] }) {
  const { values, bind } = useUrlState(RUNS_STATE);
  return (
    <Filters>
      <SuggestField key={values.suite} label="Suite" known={suites} {...bind("suite")} />
      <SelectField label="Status" options={optionsOf(RUN_STATUSES)} {...bind("status")} />
    </Filters>
  );
}
