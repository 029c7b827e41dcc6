import { useState } from "react";
import { parseLabels } from "../../data/parse-labels.ts";
import { Field } from "./field.tsx";
import { FilterToken } from "./filter-token.tsx";

/** In a filter also pass the value as the key, so that a new one resets the typed text. */
export type LabelsFieldProps = { name: string; value: string; onChange: (labels: string) => void };

/** A filter by labels. Applies when the field loses focus, if the labels are well-formed. */
export function LabelsField({ name, value, onChange }: LabelsFieldProps) {
  const [typed, setTyped] = useState(value);
  const [isWrong, setIsWrong] = useState(false);

  function settle(): void {
    const isWellFormed = parseLabels(typed) !== null;
    setIsWrong(!isWellFormed);
    if (isWellFormed && typed.trim() !== value) onChange(typed.trim());
  }

  const text = "Enter labels as name=value, separated by commas.";
  return (
    <Field
      label="Labels"
      name={name}
      problem={isWrong ? { text, code: "TYPED", fields: { [name]: text } } : null}
    >
      {(control) => (
        <>
          <input
            {...control}
            className="input"
            value={typed}
            placeholder="site=hall-a"
            onChange={({ target }) => setTyped(target.value)}
            onBlur={settle}
            onKeyDown={({ key }) => {
              if (key === "Enter") settle();
            }}
          />
          <FilterToken name={name} label="Labels" text={value} />
        </>
      )}
    </Field>
  );
}
