import { useUrlState } from "../../../data/use-url-state.ts";
import { AgentField } from "../../../ui/form/agent-field.tsx";
import { Filters } from "../../../ui/form/filters.tsx";
import { optionsOf } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { TASKS_STATE, TASK_STATUSES } from "../task-filter.ts";
import { useQueueNames } from "../use-queue-names.ts";
import { SuggestField } from "./suggest-field.tsx";

/** What narrows the board and the list. The board has a column for each status. */
export function TaskFilters({ isList }: { isList: boolean }) {
  const { values, set } = useUrlState(TASKS_STATE);
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
        <AgentField
          label="Assigned to"
          name="assignee"
          value={values.assignee}
          none="Anyone"
          onChange={(assignee) => set({ assignee })}
        />
        <AgentField
          label="Worked on by"
          name="agent"
          value={values.agent}
          none="Anyone"
          onChange={(agent) => set({ agent })}
        />
      </Filters>
    </div>
  );
}
