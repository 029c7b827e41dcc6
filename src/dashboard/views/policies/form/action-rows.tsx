import { useId } from "react";
import type { UserProblem } from "../../../data/problem.ts";
import { Field } from "../../../ui/form/field.tsx";
import { BUILT_IN_TYPES } from "../../commands/built-in-types.ts";
import { type TypedAction, getNextId } from "./typed-policy.ts";

export type ActionRowsProps = {
  actions: readonly TypedAction[];
  onChange: (actions: readonly TypedAction[]) => void;
  problem: UserProblem | null;
};

const KNOWN = ["tools/call", "commands", "mission.create", ...Object.keys(BUILT_IN_TYPES)];

/** The actions of a policy, at least one. */
export function ActionRows({ actions, onChange, problem }: ActionRowsProps) {
  const known = useId();
  return (
    <fieldset className="stack-m">
      <legend className="legend">Does any of</legend>
      {actions.map((action, place) => (
        <ActionRow
          key={action.id}
          name={action.name}
          place={place}
          known={known}
          problem={problem}
          onChange={(name) =>
            onChange(actions.map((one) => (one.id === action.id ? { id: one.id, name } : one)))
          }
          onRemove={
            actions.length === 1 ? null : () => onChange(actions.filter(({ id }) => id !== action.id))
          }
        />
      ))}
      <datalist id={known}>
        {KNOWN.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <div>
        <button
          type="button"
          className="button button-small"
          onClick={() => onChange([...actions, { id: getNextId(actions), name: "" }])}
        >
          Add action
        </button>
      </div>
    </fieldset>
  );
}

type ActionRowProps = {
  name: string;
  place: number;
  /** The id of the list of known actions. */
  known: string;
  problem: UserProblem | null;
  onChange: (name: string) => void;
  /** Null if it is the only one. */
  onRemove: (() => void) | null;
};

const HINT = { hint: "A name; * is any text. “commands” are all commands and missions." };

function ActionRow({ name, place, known, problem, onChange, onRemove }: ActionRowProps) {
  return (
    <div className="policies-row">
      <Field
        label={`Action ${place + 1}`}
        name={`actions.${place}`}
        problem={problem}
        isRequired
        {...(place === 0 && HINT)}
      >
        {(control) => (
          <input
            {...control}
            className="input"
            list={known}
            value={name}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
      {onRemove !== null && (
        <button type="button" className="button" aria-label={`Remove action ${place + 1}`} onClick={onRemove}>
          Remove
        </button>
      )}
    </div>
  );
}
