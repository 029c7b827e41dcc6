import { useNewest } from "../../../data/use-newest.ts";
import type { Problem } from "../../../data/problem.ts";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { ChangeOrder, Order } from "./order.ts";
import type { Targets } from "./use-targets.ts";

/** Whom the command is for. */
export type TargetChoiceProps = {
  order: Order;
  onChange: ChangeOrder;
  targets: Targets | null;
  problem: Problem | null;
};

const WAYS: readonly Option[] = [
  ["one", "One agent"],
  ["many", "Every agent of a kind, or with labels"],
];
const KINDS: readonly Option[] = [
  ["", "Any"],
  ["SOFTWARE", "Software"],
  ["ROBOT", "Robots"],
];

/** Chooses one agent, or all that something is true of. */
export function TargetChoice({ order, onChange, targets, problem }: TargetChoiceProps) {
  return (
    <>
      <SelectField
        label="For"
        name="to"
        value={order.to}
        options={WAYS}
        onChange={(to) => onChange({ to: to === "many" ? "many" : "one" })}
      />
      {order.to === "one" ? (
        <AgentField order={order} onChange={onChange} targets={targets} problem={problem} />
      ) : (
        <div className="columns">
          <SelectField
            label="Kind"
            hint="Software, robots, or both."
            name="kind"
            value={order.kind}
            options={KINDS}
            onChange={(kind) => onChange({ kind })}
          />
          <TextField
            label="Labels"
            name="labels"
            hint="All of them, such as site=hall-a, zone=2"
            value={order.labels}
            onChange={(labels) => onChange({ labels })}
            problem={problem}
          />
        </div>
      )}
    </>
  );
}

function AgentField({ order, onChange, targets, problem }: TargetChoiceProps) {
  const newest: Option[] = useNewest()?.agents.nodes.map(({ uuid, name }) => [uuid, name] as const) ?? [];
  const isListed = order.agent === "" || newest.some(([uuid]) => uuid === order.agent);
  const named: Option[] = isListed ? [] : [[order.agent, targets?.agents[0]?.name ?? "…"]];
  return (
    <SelectField
      label="Agent"
      name="agentId"
      value={order.agent}
      options={[["", "Choose an agent"], ...named, ...newest]}
      onChange={(agent) => onChange({ agent })}
      problem={problem}
      isRequired
    />
  );
}
