import type { UserProblem } from "../../../data/problem.ts";
import { AgentField } from "../../../ui/form/agent-field.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { ChangeOrder, CommandOrder } from "./order.ts";

export type TargetChoiceProps = {
  order: CommandOrder;
  onChange: ChangeOrder;
  problem: UserProblem | null;
};

const WAYS: readonly Option[] = [
  ["one", "One agent"],
  ["many", "All agents of a kind or with labels"],
];
const KINDS: readonly Option[] = [
  ["", "Any"],
  ["SOFTWARE", "Software"],
  ["ROBOT", "Robots"],
];

/** Chooses one agent, or all agents that match. */
export function TargetChoice({ order, onChange, problem }: TargetChoiceProps) {
  return (
    <>
      <SelectField
        label="Send to"
        name="to"
        value={order.to}
        options={WAYS}
        onChange={(to) => onChange({ to: to === "many" ? "many" : "one" })}
      />
      {order.to === "one" ? (
        <AgentField
          label="Agent"
          name="agentId"
          value={order.agent}
          none="Choose an agent"
          onChange={(agent) => onChange({ agent })}
          problem={problem}
          isRequired
        />
      ) : (
        <div className="columns">
          <SelectField
            label="Kind"
            hint="Software agents, robots, or both."
            name="kind"
            value={order.kind}
            options={KINDS}
            onChange={(kind) => onChange({ kind })}
          />
          <TextField
            label="Labels"
            name="labels"
            hint="Agents must have all of these. Example: site=hall-a, zone=2"
            value={order.labels}
            onChange={(labels) => onChange({ labels })}
            problem={problem}
          />
        </div>
      )}
    </>
  );
}
