import { useUrlState } from "../../../data/use-url-state.ts";
import { Filters } from "../../../ui/form/filters.tsx";
import { optionsOf } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { AGENTS_STATE, AGENT_KINDS, CONTROL_STATES, PRESENCES } from "./agent-filter.ts";

const CHOICES = [
  ["Kind", "kind", AGENT_KINDS],
  ["Presence", "presence", PRESENCES],
  ["Control state", "control", CONTROL_STATES],
] as const;

/** What narrows the list of agents. */
export function AgentFilters() {
  const { values, set } = useUrlState(AGENTS_STATE);
  return (
    <Filters>
      <TextField
        label="Search names and handles"
        name="q"
        type="search"
        value={values.q}
        onChange={(q) => set({ q })}
      />
      {CHOICES.map(([label, name, options]) => (
        <SelectField
          key={name}
          label={label}
          name={name}
          value={values[name]}
          options={optionsOf(options)}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
    </Filters>
  );
}
