import { useUrlState } from "../../../data/use-url-state.ts";
import { useNewest } from "../../../data/use-newest.ts";
import { Filters } from "../../../ui/form/filters.tsx";
import { optionsOf } from "../../../ui/form/option-list.ts";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { TASKS_STATE, TASK_STATUSES } from "../task-filter.ts";
import { useQueueNames } from "../use-queue-names.ts";
import { SuggestField } from "./suggest-field.tsx";

/** What narrows the board and the list. The board has a column for each status. */
export function TaskFilters({ isList }: { isList: boolean }) {
  const { values, set } = useUrlState(TASKS_STATE);
  const agents: Option[] = useNewest()?.agents.nodes.map(({ uuid, name }) => [uuid, name] as const) ?? [];
  return (
    <div className="tasks-filters">
      <Filters>
        <TextField
          label="Search titles"
          name="q"
          type="search"
          value={values.q}
          onChange={(q) => set({ q })}
        />
        {isList && (
          <SelectField
            label="Status"
            name="status"
            value={values.status}
            options={optionsOf(TASK_STATUSES)}
            onChange={(status) => set({ status, view: "list" })}
          />
        )}
        <SuggestField
          key={values.queue}
          label="Queue"
          name="queue"
          value={values.queue}
          known={useQueueNames()}
          onChange={(queue) => set({ queue })}
        />
        <SelectField
          label="Assigned to"
          name="assignee"
          value={values.assignee}
          options={[["", "Anyone"], ...agents]}
          onChange={(assignee) => set({ assignee })}
        />
        <SelectField
          label="Worked on by"
          name="agent"
          value={values.agent}
          options={[["", "Anyone"], ...agents]}
          onChange={(agent) => set({ agent })}
        />
      </Filters>
    </div>
  );
}
