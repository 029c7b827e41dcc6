import { useId, useState } from "react";
import { Field, type FieldProps } from "./field.tsx";
import { FilterToken } from "./filter-token.tsx";
import { Suggestions } from "./suggestions.tsx";

/** An exact name, with suggestions. */
export type SuggestFieldProps = FieldProps & {
  /** In a filter also pass it as the key, so that a new value resets the typed text. */
  value: string;
  known: readonly string[];
  onChange: (value: string) => void;
};

/** A field for a suggested or any other name. Applies when the field loses focus. */
export function SuggestField({ value, known, onChange, ...field }: SuggestFieldProps) {
  const [typed, setTyped] = useState(value);
  const list = useId();

  function settle(next: string): void {
    if (next.trim() !== value) onChange(next.trim());
  }

  return (
    <Field {...field}>
      {(control) => (
        <>
          <input
            {...control}
            className="input"
            list={list}
            value={typed}
            placeholder="All"
            onChange={({ target }) => {
              setTyped(target.value);
              if (target.value === "" || known.includes(target.value)) settle(target.value);
            }}
            onBlur={() => settle(typed)}
            onKeyDown={({ key }) => {
              if (key === "Enter") settle(typed);
            }}
          />
          <Suggestions id={list} known={known} />
          <FilterToken {...field} text={value} />
        </>
      )}
    </Field>
  );
}
