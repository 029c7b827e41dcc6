import { Field, type FieldProps } from "./field.tsx";
import { DURATION_UNITS, type TypedDuration } from "./typed-duration.ts";

export type DurationFieldProps = FieldProps & {
  value: TypedDuration;
  onChange: (value: TypedDuration) => void;
};

/** A field for a duration: a number and its unit. */
export function DurationField({ value, onChange, ...field }: DurationFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <div className="duration">
          <input
            {...control}
            className="input"
            type="number"
            step="any"
            min="0"
            value={value.amount}
            onChange={({ target }) => onChange({ ...value, amount: target.value })}
          />
          <select
            className="input"
            aria-label={`${field.label}, unit`}
            value={value.unit}
            onChange={({ target }) => onChange({ ...value, unit: target.value })}
          >
            {DURATION_UNITS.map(([seconds, name]) => (
              <option key={seconds} value={seconds}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
    </Field>
  );
}
