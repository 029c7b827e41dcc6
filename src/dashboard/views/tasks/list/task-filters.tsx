import { useUrlState } from "../../../data/use-url-state.ts";
import { AgentField } from "../../../ui/form/agent-field.tsx";
import { DropDown } from "../../../ui/drop-down.tsx";
import { FilterToken } from "../../../ui/form/filter-token.tsx";
import { Filters } from "../../../ui/form/filters.tsx";
import { LabelsField } from "../../../ui/form/labels-field.tsx";
import { toOptions } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { SuggestField } from "../../../ui/form/suggest-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { formatLocalTime } from "../../../ui/format-local-time.ts";
import { TASKS_STATE, TASK_STATUSES } from "../task-filter.ts";
import { useQueueNames } from "../use-queue-names.ts";

/** Filters for the board and the list. The status is for the list only. */
export function TaskFilters({ isList }: { isList: boolean }) {
  const { values, set, bind } = useUrlState(TASKS_STATE);
  const moreSet = [values.labels, values.since, values.until].filter((value) => value !== "");
  return (
    <Filters>
      <TextField label="Search titles" type="search" {...bind("q")} />
      {isList && (
        <SelectField
          label="Status"
          options={toOptions(TASK_STATUSES)}
          {...bind("status")}
          onChange={(status) => set({ status, view: "list" })}
        />
      )}
      <SuggestField key={values.queue} label="Queue" known={useQueueNames()} {...bind("queue")} />
      <AgentField label="Assigned to" none="Anyone" {...bind("assignee")} />
      <AgentField label="Worked on by" none="Anyone" {...bind("agent")} />
      <DropDown label="More" icon="list-filter" count={moreSet.length}>
        <LabelsField key={values.labels} {...bind("labels")} />
        <TextField label="Created from" type="datetime-local" {...bind("since")} />
        <TextField label="Created before" type="datetime-local" {...bind("until")} />
      </DropDown>
      <FilterToken name="labels" label="Labels" text={values.labels} />
      <FilterToken name="since" label="Created from" text={formatLocalTime(values.since)} />
      <FilterToken name="until" label="Created before" text={formatLocalTime(values.until)} />
    </Filters>
  );
}
