import { Link } from "wouter";
import { AgentField } from "../../../ui/form/agent-field.tsx";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Filters } from "../../../ui/form/filters.tsx";
import { optionsOf } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { COMMAND_STATUSES } from "../command-statuses.ts";
import { SuggestField } from "../../tasks/list/suggest-field.tsx";
import { BUILT_IN_TYPES } from "../built-in-types.ts";

/** What the address keeps of the list of commands. */
export const COMMANDS_STATE = { agent: "", status: "", type: "", batch: "" };

/** What narrows the list of commands. */
export function CommandFilters() {
  const { values, set } = useUrlState(COMMANDS_STATE);
  return (
    <>
      <div className="commands-filters">
        <Filters>
          <AgentField
            label="Agent"
            name="agent"
            value={values.agent}
            none="All"
            onChange={(agent) => set({ agent })}
          />
          <SelectField
            label="Status"
            name="status"
            value={values.status}
            options={optionsOf(COMMAND_STATUSES)}
            onChange={(status) => set({ status })}
          />
          <SuggestField
            key={values.type}
            label="Type"
            name="type"
            value={values.type}
            known={Object.keys(BUILT_IN_TYPES)}
            onChange={(type) => set({ type })}
          />
        </Filters>
      </div>
      {values.batch !== "" && (
        <p className="notice row-between">
          <span>Only commands that were issued together.</span>
          <span className="actions">
            <Link href={`/commands/batches/${values.batch}`}>How they stand</Link>
            <button type="button" className="button button-small" onClick={() => set({ batch: "" })}>
              Show all
            </button>
          </span>
        </p>
      )}
    </>
  );
}
