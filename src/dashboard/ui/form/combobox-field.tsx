import { useId } from "react";
import { ComboboxList } from "./combobox-list.tsx";
import { Field, type FieldProps } from "./field.tsx";
import { type ComboboxProps, useCombobox } from "./use-combobox.ts";

/** What is chosen, and from what. Whoever uses it finds `options` for what is typed. */
export type ComboboxFieldProps = FieldProps &
  ComboboxProps & {
    /** Stands where nothing is chosen. */
    placeholder: string;
    /** Said below the options, such as that nothing is called so. */
    note: string | null;
  };

/** A field for one of many that are found by typing. Emptying it chooses nothing. */
export function ComboboxField(props: ComboboxFieldProps) {
  const { label, options, chosen, typed, onType, placeholder, note } = props;
  const { at, setAt, choose, type, leave, onKeyDown } = useCombobox(props);
  const list = useId();
  const isOpen = typed !== null;
  return (
    <Field {...props}>
      {(control) => (
        <div className="combobox">
          <input
            {...control}
            className="input"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isOpen && options.length > 0}
            aria-controls={isOpen ? list : undefined}
            aria-activedescendant={isOpen && at >= 0 ? `${list}-${at}` : undefined}
            autoComplete="off"
            placeholder={placeholder}
            value={typed ?? chosen}
            onChange={({ target }) => type(target.value)}
            onClick={() => onType(typed ?? chosen)}
            onFocus={({ target }) => target.select()}
            onBlur={leave}
            onKeyDown={onKeyDown}
          />
          {isOpen && (
            <ComboboxList
              id={list}
              label={label}
              options={options}
              at={at}
              note={note}
              onPoint={setAt}
              onChoose={choose}
            />
          )}
        </div>
      )}
    </Field>
  );
}
