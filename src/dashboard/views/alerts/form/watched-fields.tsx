import type { UserProblem } from "../../../data/problem.ts";
import { AgentField } from "../../../ui/form/agent-field.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { SuggestField } from "../../../ui/form/suggest-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useQueueNames } from "../../tasks/use-queue-names.ts";
import { METRICS, METRIC_NAMES } from "../alert-metrics.ts";
import {
  type ChangeAlert,
  type Scope,
  type TypedAlert,
  findScope,
  listScopes,
  toMetricFields,
} from "./typed-alert.ts";

export type WatchedFieldsProps = { typed: TypedAlert; onChange: ChangeAlert; problem: UserProblem | null };

const UNITS = { count: "number", share: "percent", seconds: "time", usd: "dollars" } as const;
const METRIC_OPTIONS: readonly Option[] = METRIC_NAMES.map((name) => [
  name,
  `${METRICS[name].label} (${UNITS[METRICS[name].unit]})`,
]);
const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  WORKSPACE: "All agents",
  AGENT: "One agent",
  LABEL: "Agents with a label",
};

/** What a rule watches. It can't be changed later. */
export function WatchedFields({ typed, onChange, problem }: WatchedFieldsProps) {
  const { hint, filters } = METRICS[typed.metric];
  const scopes = listScopes(typed.metric);
  return (
    <>
      <SelectField
        label="Metric"
        name="metric"
        hint={hint}
        options={METRIC_OPTIONS}
        value={typed.metric}
        onChange={(metric) => onChange(toMetricFields(metric))}
        problem={problem}
      />
      <div className="columns">
        {scopes.length > 1 && (
          <SelectField
            label="Of"
            name="scope"
            options={scopes.map((scope) => [scope, SCOPE_LABELS[scope]])}
            value={findScope(typed)}
            onChange={(scope) => onChange({ scope })}
          />
        )}
        <AgentFields typed={typed} onChange={onChange} problem={problem} />
        {filters.includes("queue") && <QueueField typed={typed} onChange={onChange} problem={problem} />}
      </div>
    </>
  );
}

function QueueField({ typed, onChange, problem }: WatchedFieldsProps) {
  return (
    <SuggestField
      label="Queue"
      name="watched.queue"
      known={useQueueNames()}
      value={typed.queue}
      onChange={(queue) => onChange({ queue })}
      problem={problem}
    />
  );
}

function AgentFields({ typed, onChange, problem }: WatchedFieldsProps) {
  const scope = findScope(typed);
  if (scope === "AGENT") {
    return (
      <AgentField
        label="Agent"
        name="watched.agentId"
        none="Choose one"
        value={typed.agent}
        onChange={(agent) => onChange({ agent })}
        problem={problem}
      />
    );
  }
  if (scope === "WORKSPACE") return null;
  return (
    <>
      <TextField
        label="Label"
        name="watched.label"
        value={typed.label}
        onChange={(label) => onChange({ label })}
        problem={problem}
        isRequired
      />
      <TextField
        label="Value"
        name="watched.labelValue"
        value={typed.labelValue}
        onChange={(labelValue) => onChange({ labelValue })}
        problem={problem}
      />
    </>
  );
}
