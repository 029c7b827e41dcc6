import type { UserProblem } from "../../../data/problem.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { ChangeOrder, CommandOrder } from "./order.ts";
import type { ParamField } from "./param-fields.ts";

export type ParamsProps = {
  /** Null if the params need JSON. */
  fields: readonly ParamField[] | null;
  order: CommandOrder;
  onChange: ChangeOrder;
  problem: UserProblem | null;
};

/** One field per param if the agent's schema is simple enough, else one field for JSON. */
export function Params({ fields, order, onChange, problem }: ParamsProps) {
  if (fields === null) {
    return (
      <TextField
        label="Params"
        name="params"
        hint="A JSON object."
        value={order.json}
        onChange={(json) => onChange({ json })}
        problem={placeProblem(problem, ["params"])}
        isLong
      />
    );
  }
  if (fields.length === 0) return null;
  const shown = placeProblem(
    problem,
    fields.map(({ name }) => `params.${name}`),
  );
  return (
    <fieldset className="stack-m">
      <legend className="legend">Params</legend>
      {fields.map((field) => (
        <Param
          key={field.name}
          field={field}
          value={order.params[field.name] ?? field.initial}
          onChange={(value) => onChange({ params: { ...order.params, [field.name]: value } })}
          problem={shown}
        />
      ))}
    </fieldset>
  );
}

type ParamProps = {
  field: ParamField;
  value: string;
  onChange: (value: string) => void;
  problem: UserProblem | null;
};

function Param({ field: { name, kind, hint, isRequired, choices }, value, onChange, problem }: ParamProps) {
  const common = {
    label: name,
    name: `params.${name}`,
    ...(hint !== null && { hint }),
    value,
    onChange,
    problem,
    isRequired,
  };
  if (kind !== "choice") {
    return <TextField {...common} isLong={kind === "json"} type={kind === "number" ? "number" : "text"} />;
  }
  const none = isRequired ? "Choose one" : "Not set";
  return (
    <SelectField
      {...common}
      options={[["", none], ...choices.map((choice) => [choice, formatChoice(choice)] as const)]}
    />
  );
}

/** Formats a JSON value: strings without quotes, booleans as yes and no. */
function formatChoice(choice: string): string {
  const value: unknown = JSON.parse(choice);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return typeof value === "string" ? value : choice;
}

/** Moves an error inside a param, `params.pose.x`, to the param's field: `params.pose`. */
function placeProblem(problem: UserProblem | null, names: readonly string[]): UserProblem | null {
  if (problem === null) return null;
  const fields: Record<string, string> = {};
  for (const [path, text] of Object.entries(problem.fields)) {
    const owner = names.find((name) => path.startsWith(`${name}.`));
    fields[owner ?? path] = owner === undefined ? text : `${path.slice(owner.length + 1)} ${text}`;
  }
  return { ...problem, fields };
}
