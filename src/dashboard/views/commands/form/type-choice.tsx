import type { UserProblem } from "../../../data/problem.ts";
import { Field } from "../../../ui/form/field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { BUILT_IN_TYPES } from "../built-in-types.ts";
import type { Capability } from "./capabilities.ts";
import type { ChangeOrder, CommandOrder } from "./order.ts";

export type TypeChoiceProps = {
  order: CommandOrder;
  onChange: ChangeOrder;
  /** Capabilities declared by the agents. */
  capabilities: readonly Capability[];
  problem: UserProblem | null;
};

/** Chooses a type: declared by the agents, built in, or any other. */
export function TypeChoice({ order, onChange, capabilities, problem }: TypeChoiceProps) {
  const declared = new Set(capabilities.map(({ type }) => type));
  const builtIn = Object.keys(BUILT_IN_TYPES).filter((type) => !declared.has(type));
  return (
    <>
      <Field
        label="Command"
        name={order.type === "other" ? "" : "type"}
        hint={BUILT_IN_TYPES[order.type] ?? "A custom command of the agent."}
        problem={problem}
      >
        {(control) => (
          <select
            {...control}
            className="input"
            value={order.type}
            onChange={({ target }) => onChange({ type: target.value, params: {}, json: "{}" })}
          >
            {declared.size > 0 && (
              <optgroup label="Declared">
                {[...declared].map((type) => (
                  <option key={type}>{type}</option>
                ))}
              </optgroup>
            )}
            <optgroup label={declared.size > 0 ? "Built in (not declared)" : "Built in"}>
              {builtIn.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </optgroup>
            <option value="other">Other…</option>
          </select>
        )}
      </Field>
      {order.type === "other" && (
        <TextField
          label="Type"
          name="type"
          hint="custom. followed by a name. Agents reject commands they don’t support."
          value={order.otherType}
          onChange={(otherType) => onChange({ otherType })}
          problem={problem}
          isRequired
        />
      )}
    </>
  );
}
