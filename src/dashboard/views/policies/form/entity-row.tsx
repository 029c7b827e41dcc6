import type { UserProblem } from "../../../data/problem.ts";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { TypedEntity } from "./typed-policy.ts";

export type EntityRowProps = {
  entity: TypedEntity;
  /** Such as "subject 1". */
  title: string;
  /** Such as `subjects.0`. */
  path: string;
  types: readonly Option[];
  problem: UserProblem | null;
  onChange: (changes: Partial<TypedEntity>) => void;
  onRemove: () => void;
};

const OTHER = "…";

/** One subject or resource: its type, and what is known of such. */
export function EntityRow({ entity, title, path, types, problem, onChange, onRemove }: EntityRowProps) {
  const { type } = entity;
  const isKnown = types.some(([known]) => known === type);
  return (
    <div className="policies-row" role="group" aria-label={title}>
      <div className="columns">
        <SelectField
          label="Type"
          name={isKnown ? `${path}.type` : ""}
          value={isKnown ? type : OTHER}
          options={[...types, [OTHER, "Other…"]]}
          onChange={(chosen) => onChange({ type: chosen === OTHER ? "" : chosen })}
          problem={problem}
        />
        {!isKnown && (
          <TextField
            label="Name of the type"
            name={`${path}.type`}
            placeholder="record"
            value={type}
            onChange={(typed) => onChange({ type: typed })}
            problem={problem}
            isRequired
          />
        )}
        <EntityFields entity={entity} path={path} problem={problem} onChange={onChange} />
      </div>
      <button type="button" className="button" aria-label={`Remove ${title}`} onClick={onRemove}>
        Remove
      </button>
    </div>
  );
}

const ROLES: readonly Option[] = [
  ["VIEWER", "All members"],
  ["OPERATOR", "Operators and above"],
  ["ADMIN", "Admins and above"],
  ["OWNER", "Owners"],
];

const KINDS: readonly Option[] = [
  ["", "Any"],
  ["SOFTWARE", "Software"],
  ["ROBOT", "Robots"],
];

type FieldsProps = Pick<EntityRowProps, "entity" | "path" | "problem" | "onChange">;

function EntityFields({ entity, path, problem, onChange }: FieldsProps) {
  function bind(name: "name" | "kind" | "labels" | "role" | "server") {
    return {
      name: `${path}.${name}`,
      value: entity[name],
      problem,
      onChange: (value: string) => onChange({ [name]: value }),
    };
  }

  switch (entity.type) {
    case "member":
      return <SelectField label="Role" options={ROLES} {...bind("role")} />;
    case "agent":
      return (
        <>
          <TextField label="Handle" placeholder="Any, or billing-*" {...bind("name")} />
          <SelectField label="Kind" options={KINDS} {...bind("kind")} />
          <TextField label="Labels" placeholder="Any, or site=hall-a, team=*" {...bind("labels")} />
        </>
      );
    case "tool":
      return (
        <>
          <TextField label="Tool" placeholder="Any, or stripe.refund*" {...bind("name")} />
          <TextField label="Server" placeholder="Any, or stripe" {...bind("server")} />
        </>
      );
    default:
      return <TextField label="ID" placeholder="Any" {...bind("name")} />;
  }
}
