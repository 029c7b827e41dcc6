import type { UserProblem } from "../../../data/problem.ts";
import type { Option } from "../../../ui/form/select-field.tsx";
import { EntityRow } from "./entity-row.tsx";
import { type TypedEntity, createEntity } from "./typed-policy.ts";

export type EntityRowsProps = {
  /** The name of the input field. */
  name: "subjects" | "resources";
  legend: string;
  /** What one row is called: "subject". */
  one: string;
  /** What no rows mean. */
  none: string;
  /** Known types, the first of them for new rows. */
  types: readonly Option[];
  entities: readonly TypedEntity[];
  onChange: (entities: readonly TypedEntity[]) => void;
  problem: UserProblem | null;
};

/** Who a policy is for, or what it is about: any of some rows. */
export function EntityRows({ name, legend, one, none, types, entities, onChange, problem }: EntityRowsProps) {
  return (
    <fieldset className="stack-m">
      <legend className="legend">{legend}</legend>
      {entities.length === 0 && <p className="soft">{none}</p>}
      {entities.map((entity, place) => (
        <EntityRow
          key={entity.id}
          entity={entity}
          title={`${one} ${place + 1}`}
          path={`${name}.${place}`}
          types={types}
          problem={problem}
          onChange={(changes) =>
            onChange(entities.map((other) => (other.id === entity.id ? { ...other, ...changes } : other)))
          }
          onRemove={() => onChange(entities.filter(({ id }) => id !== entity.id))}
        />
      ))}
      <div>
        <button
          type="button"
          className="button button-small"
          onClick={() => onChange([...entities, createEntity(entities, types[0]?.[0] ?? "")])}
        >
          Add {one}
        </button>
      </div>
    </fieldset>
  );
}
