import type { UserProblem } from "../../../data/problem.ts";
import { AgentField } from "../../../ui/form/agent-field.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { type TypedAgent, getHandle } from "./typed-agent.ts";

const WHO_OPTIONS: readonly Option[] = [
  ["new", "A new agent"],
  ["known", "An agent that exists"],
];

export type AgentFieldsProps = {
  typed: TypedAgent;
  onChange: (changes: Partial<TypedAgent>) => void;
  problem: UserProblem | null;
};

/** Chooses an agent, or names a new one. */
export function AgentFields({ typed, onChange, problem }: AgentFieldsProps) {
  return (
    <div className="columns">
      <SelectField
        label="Connect"
        name="who"
        options={WHO_OPTIONS}
        value={typed.isNew ? "new" : "known"}
        onChange={(who) => onChange({ isNew: who === "new" })}
      />
      {typed.isNew ? (
        <NewAgentFields typed={typed} onChange={onChange} problem={problem} />
      ) : (
        <AgentField
          label="Agent"
          name="agentHandle"
          none="Choose one"
          value={typed.uuid}
          onChange={(uuid) => onChange({ uuid })}
          problem={problem}
          isRequired
        />
      )}
    </div>
  );
}

function NewAgentFields({ typed, onChange, problem }: AgentFieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        name="name"
        value={typed.name}
        onChange={(name) => onChange({ name })}
        problem={problem}
        isRequired
      />
      <TextField
        label="Handle"
        name="handle"
        hint="How policies and other agents name it."
        value={getHandle(typed)}
        onChange={(handle) => onChange({ handle })}
        problem={problem}
        isRequired
      />
    </>
  );
}
