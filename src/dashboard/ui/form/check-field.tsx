import { useId } from "react";

export type CheckFieldProps = {
  label: string;
  name: string;
  hint?: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
};

/** A checkbox. */
export function CheckField({ label, name, hint, isChecked, onChange }: CheckFieldProps) {
  const id = useId();
  return (
    <div className="check">
      <input
        id={id}
        name={name}
        type="checkbox"
        checked={isChecked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
