import { useUrlState } from "../../../data/use-url-state.ts";
import { Filters } from "../../../ui/form/filters.tsx";
import { optionsOf } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { AGENTS_STATE, AGENT_KINDS, CONTROL_STATES, PRESENCES } from "./agent-filter.ts";

/** What narrows the list of agents. */
export function AgentFilters() {
  const { bind } = useUrlState(AGENTS_STATE);
  return (
    <Filters>
      <TextField label="Search names and handles" type="search" {...bind("q")} />
      <SelectField label="Kind" options={optionsOf(AGENT_KINDS)} {...bind("kind")} />
      <SelectField label="Presence" options={optionsOf(PRESENCES)} {...bind("presence")} />
      <SelectField label="Control state" options={optionsOf(CONTROL_STATES)} {...bind("control")} />
    </Filters>
  );
}
