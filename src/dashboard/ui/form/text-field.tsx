import { useId } from "react";
import { formatLocalTime } from "../format-local-time.ts";
import { Field, type FieldProps } from "./field.tsx";
import { FilterToken } from "./filter-token.tsx";
import { Suggestions } from "./suggestions.tsx";

export type TextFieldProps = FieldProps & {
  value: string;
  onChange: (value: string) => void;
  /** Whether it has several lines. */
  isLong?: boolean;
  placeholder?: string;
  type?: "text" | "number" | "search" | "datetime-local" | "password";
  autoComplete?: string;
  /** Values to suggest. Any other can be typed. */
  known?: readonly string[];
};

export function TextField({
  value,
  onChange,
  isLong = false,
  placeholder,
  type = "text",
  autoComplete,
  known,
  ...field
}: TextFieldProps) {
  const list = useId();
  return (
    <Field {...field}>
      {(control) =>
        isLong ? (
          <textarea
            {...control}
            className="input"
            value={value}
            placeholder={placeholder}
            onChange={({ target }) => onChange(target.value)}
          />
        ) : (
          <>
            <input
              {...control}
              className="input"
              type={type}
              value={value}
              placeholder={placeholder}
              autoComplete={autoComplete}
              list={known === undefined ? undefined : list}
              onChange={({ target }) => onChange(target.value)}
            />
            {known !== undefined && <Suggestions id={list} known={known} />}
            {type !== "search" && (
              <FilterToken {...field} text={type === "datetime-local" ? formatLocalTime(value) : value} />
            )}
          </>
        )
      }
    </Field>
  );
}
