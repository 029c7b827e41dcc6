import { type ReactNode, useId } from "react";
import type { UserProblem } from "../../data/problem.ts";

/** Common props of form fields. `name` is that of the GraphQL input field, so server errors appear next to it. */
export type FieldProps = {
  label: string;
  name: string;
  hint?: string;
  problem?: UserProblem | null;
  isRequired?: boolean;
};

/** Attributes that link an input to its label, hint and error. */
export type FieldControl = {
  id: string;
  name: string;
  required: boolean;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
};

/** A label, an input, and its error. */
export function Field(props: FieldProps & { children: (control: FieldControl) => ReactNode }) {
  const { label, name, hint, problem, isRequired = false, children } = props;
  const id = useId();
  const error = problem?.fields[name];
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    Boolean,
  );
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {children({
        id,
        name,
        required: isRequired,
        "aria-describedby": described.length === 0 ? undefined : described.join(" "),
        "aria-invalid": error === undefined ? undefined : true,
      })}
    </div>
  );
}
