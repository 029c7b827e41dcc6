import { Field, type FieldProps } from "./field.tsx";

export type TextFieldProps = FieldProps & {
  value: string;
  onChange: (value: string) => void;
  /** Whether it has several lines. */
  isLong?: boolean;
  placeholder?: string;
  type?: "text" | "number" | "search" | "datetime-local" | "password";
  autoComplete?: string;
};

export function TextField({
  value,
  onChange,
  isLong = false,
  placeholder,
  type = "text",
  autoComplete,
  ...field
}: TextFieldProps) {
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
          <input
            {...control}
            className="input"
            type={type}
            value={value}
            placeholder={placeholder}
            autoComplete={autoComplete}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Field>
  );
}
