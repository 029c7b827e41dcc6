import { Field, type FieldProps } from "./field.tsx";
import { FilterToken } from "./filter-token.tsx";

export type Option = readonly [value: string, label: string];

export type OptionGroup = { label: string; options: readonly Option[] };

export type SelectFieldProps = FieldProps & {
  value: string;
  options: readonly Option[];
  /** Shown below the options. Default: none. */
  groups?: readonly OptionGroup[];
  onChange: (value: string) => void;
};

export function SelectField({ value, options, groups, onChange, ...field }: SelectFieldProps) {
  const all = [...options, ...(groups ?? []).flatMap((group) => group.options)];
  const chosen = all.find(([known]) => known === value)?.[1] ?? "";
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
            <Options options={options} />
            {groups?.map(({ label, options: grouped }) => (
              <optgroup key={label} label={label}>
                <Options options={grouped} />
              </optgroup>
            ))}
          </select>
          <FilterToken {...field} text={chosen} />
        </>
      )}
    </Field>
  );
}

function Options({ options }: { options: readonly Option[] }) {
  return options.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}
