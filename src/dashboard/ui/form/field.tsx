import { type ReactNode, useId } from "react";
import type { UserProblem } from "../../data/problem.ts";

/** What every field of a form has. `name` is the GraphQL input's: the server's refusal is shown beside it. */
export type FieldProps = {
  label: string;
  name: string;
  hint?: string;
  problem?: UserProblem | null;
  isRequired?: boolean;
};

/** What an input needs to belong to its label, its hint and its error. */
export type FieldControl = {
  id: string;
  name: string;
  required: boolean;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
};

/** A label, what is typed into, and what is wrong with it. */
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
