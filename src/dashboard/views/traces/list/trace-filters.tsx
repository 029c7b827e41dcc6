import { isUuid, toGlobalId } from "../../../data/global-id.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { AgentField } from "../../../ui/form/agent-field.tsx";
import { Filters } from "../../../ui/form/filters.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";

/** Filters in the URL, with their defaults. */
export const TRACES_STATE = {
  status: "",
  agent: "",
  from: "",
  until: "",
  plumbing: "",
  conversation: "",
  name: "",
  tool: "",
  model: "",
  cost: "",
};

const STATUSES = ["ERROR", "OK", "UNSET"] as const;

const STATUS_OPTIONS: readonly Option[] = [
  ["", "All"],
  ["ERROR", "Failed"],
  ["OK", "OK"],
  ["UNSET", "Neither"],
  ["LOST", "Lost"],
];

const PLUMBING_OPTIONS: readonly Option[] = [
  ["", "Agents’ work"],
  ["shown", "All, with plumbing"],
];

export function TraceFilters() {
  const { values, set, bind } = useUrlState(TRACES_STATE);
  return (
    <>
      <Filters>
        <TextField label="Search spans by name" type="search" {...bind("name")} />
        <AgentField label="Agent" none="All" {...bind("agent")} />
        <SelectField label="Status" options={STATUS_OPTIONS} {...bind("status")} />
        <TextField label="Arrived from" type="datetime-local" {...bind("from")} />
        <TextField label="Arrived before" type="datetime-local" {...bind("until")} />
        <TextField label="Tool" {...bind("tool")} />
        <TextField label="Model" {...bind("model")} />
        <TextField label="Cost from ($)" type="number" {...bind("cost")} />
        <SelectField label="Traces" options={PLUMBING_OPTIONS} {...bind("plumbing")} />
      </Filters>
      {values.conversation !== "" && (
        <p className="notice row-between">
          <span>Showing traces of one conversation.</span>
          <button type="button" className="button button-small" onClick={() => set({ conversation: "" })}>
            Show all
          </button>
        </p>
      )}
    </>
  );
}

/** The filter of the list, from the URL. What it can't read filters nothing. */
export function toTraceFilter(values: Readonly<typeof TRACES_STATE>) {
  const { status, agent, from, until, plumbing, conversation, name, tool, model, cost } = values;
  return {
    status: STATUSES.find((one) => one === status) ?? null,
    agentId: isUuid(agent) ? toGlobalId("Agent", agent) : null,
    conversationId: conversation === "" ? null : conversation,
    from: toTime(from),
    until: toTime(until),
    plumbing: plumbing === "shown" ? true : null,
    name: name === "" ? null : name,
    tool: tool === "" ? null : tool,
    model: model === "" ? null : model,
    minCostUsd: /^\d{1,12}(\.\d{1,12})?$/.test(cost) ? cost : null,
    lost: status === "LOST" ? true : null,
  };
}

/** Whether the server searches for what the filter wants: forwards, and some at a time. */
export function isSearch({ name, tool, model, minCostUsd, lost }: ReturnType<typeof toTraceFilter>): boolean {
  return name !== null || tool !== null || model !== null || minCostUsd !== null || lost !== null;
}

/** The field's value is local time without a zone. */
function toTime(typed: string): string | null {
  const at = new Date(typed);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
