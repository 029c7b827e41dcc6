import type { UserProblem } from "../../../data/problem.ts";
import { Field } from "../../../ui/form/field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { BUILT_IN_TYPES } from "../built-in-types.ts";
import type { Capability } from "./capabilities.ts";
import type { ChangeOrder, CommandOrder } from "./order.ts";

/** Which command it is. */
export type TypeChoiceProps = {
  order: CommandOrder;
  onChange: ChangeOrder;
  /** What the agents have declared. */
  capabilities: readonly Capability[];
  problem: UserProblem | null;
};

/** Chooses a type: one that the agents declare, one that is built in, or any other of the agent's own. */
export function TypeChoice({ order, onChange, capabilities, problem }: TypeChoiceProps) {
  const declared = new Set(capabilities.map(({ type }) => type));
  const builtIn = Object.keys(BUILT_IN_TYPES).filter((type) => !declared.has(type));
  return (
    <>
      <Field
        label="Command"
        name={order.type === "other" ? "" : "type"}
        hint={BUILT_IN_TYPES[order.type] ?? "A command of the agent’s own."}
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
            <optgroup label={declared.size > 0 ? "Built in, not declared" : "Built in"}>
              {builtIn.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </optgroup>
            <option value="other">Another…</option>
          </select>
        )}
      </Field>
      {order.type === "other" && (
        <TextField
          label="Type"
          name="type"
          hint="custom. and a name. What an agent does not know, it rejects."
          value={order.otherType}
          onChange={(otherType) => onChange({ otherType })}
          problem={problem}
          isRequired
        />
      )}
    </>
  );
}
