import { Field, type FieldProps } from "./field.tsx";
import { FilterToken } from "./filter-token.tsx";

export type Option = readonly [value: string, label: string];

export type SelectFieldProps = FieldProps & {
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
};

export function SelectField({ value, options, onChange, ...field }: SelectFieldProps) {
  const chosen = options.find(([known]) => known === value)?.[1] ?? "";
  return (
    <Field {...field}>
      {(control) => (
        <>
          <select
            {...control}
            className="input"
            value={value}
            onChange={({ target }) => onChange(target.value)}
          >
            {options.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <FilterToken {...field} text={chosen} />
        </>
      )}
    </Field>
  );
}
