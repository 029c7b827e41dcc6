import { Link } from "wouter";
import { AgentField } from "../../../ui/form/agent-field.tsx";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Filters } from "../../../ui/form/filters.tsx";
import { toOptions } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { COMMAND_STATUSES } from "../command-statuses.ts";
import { SuggestField } from "../../../ui/form/suggest-field.tsx";
import { BUILT_IN_TYPES } from "../built-in-types.ts";

/** Filters in the URL, with their defaults. */
export const COMMANDS_STATE = { agent: "", status: "", type: "", batch: "" };

export function CommandFilters() {
  const { values, set, bind } = useUrlState(COMMANDS_STATE);
  return (
    <>
      <Filters>
        <AgentField label="Agent" none="All" {...bind("agent")} />
        <SelectField label="Status" options={toOptions(COMMAND_STATUSES)} {...bind("status")} />
        <SuggestField key={values.type} label="Type" known={Object.keys(BUILT_IN_TYPES)} {...bind("type")} />
      </Filters>
      {values.batch !== "" && (
        <p className="notice row-between">
          <span>Showing commands of one batch.</span>
          <span className="actions">
            <Link href={`/commands/batches/${values.batch}`}>Batch summary</Link>
            <button type="button" className="button button-small" onClick={() => set({ batch: "" })}>
              Show all
            </button>
          </span>
        </p>
      )}
    </>
  );
}
