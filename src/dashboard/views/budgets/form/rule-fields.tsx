import type { UserProblem } from "../../../data/problem.ts";
import { AgentField } from "../../../ui/form/agent-field.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { ChangeBudget, TypedBudget } from "./typed-budget.ts";

export type RuleFieldsProps = { typed: TypedBudget; onChange: ChangeBudget; problem: UserProblem | null };

const SCOPE_OPTIONS: readonly Option[] = [
  ["WORKSPACE", "All agents together"],
  ["EACH_AGENT", "Each agent"],
  ["AGENT", "One agent"],
  ["EACH_LABEL", "Each value of a label"],
  ["LABEL", "One value of a label"],
];
const UNIT_OPTIONS: readonly Option[] = [
  ["USD", "Dollars"],
  ["TOKENS", "Tokens"],
  ["CALLS", "Calls"],
];
const PERIOD_OPTIONS: readonly Option[] = [
  ["MINUTE", "Minute"],
  ["HOUR", "Hour"],
  ["DAY", "Day"],
  ["MONTH", "Month"],
  ["TOTAL", "In all"],
];

/** Whose use of what counts, and in which time. It can't be changed later. */
export function RuleFields({ typed, onChange, problem }: RuleFieldsProps) {
  function bind(name: "unit" | "period" | "timeZone") {
    return { name, value: typed[name], problem, onChange: (value: string) => onChange({ [name]: value }) };
  }

  return (
    <>
      <div className="columns">
        <SelectField
          label="Counts the use of"
          name="scope.type"
          options={SCOPE_OPTIONS}
          value={typed.scope}
          onChange={(scope) => onChange({ scope })}
          problem={problem}
        />
        <ScopeFields typed={typed} onChange={onChange} problem={problem} />
      </div>
      <div className="columns">
        <SelectField label="Unit" options={UNIT_OPTIONS} {...bind("unit")} />
        <SelectField label="Starts anew each" options={PERIOD_OPTIONS} {...bind("period")} />
        <TextField
          label="Time zone"
          hint="Where days and months begin."
          placeholder="Europe/Berlin"
          {...bind("timeZone")}
        />
      </div>
    </>
  );
}

function ScopeFields({ typed, onChange, problem }: RuleFieldsProps) {
  const { scope } = typed;
  return (
    <>
      {scope === "AGENT" && (
        <AgentField
          label="Agent"
          name="scope.agentId"
          none="Choose one"
          value={typed.agent}
          onChange={(agent) => onChange({ agent })}
          problem={problem}
        />
      )}
      {(scope === "LABEL" || scope === "EACH_LABEL") && (
        <TextField
          label="Label"
          name="scope.label"
          hint="Agents set their own labels."
          value={typed.label}
          onChange={(label) => onChange({ label })}
          problem={problem}
          isRequired
        />
      )}
      {scope === "LABEL" && (
        <TextField
          label="Value"
          name="scope.value"
          value={typed.value}
          onChange={(value) => onChange({ value })}
          problem={problem}
        />
      )}
    </>
  );
}
