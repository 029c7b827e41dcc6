import { useId } from "react";
import { ComboboxList } from "./combobox-list.tsx";
import { Field, type FieldProps } from "./field.tsx";
import { type ComboboxProps, useCombobox } from "./use-combobox.ts";

/** The caller provides the `options` for the typed text. */
export type ComboboxFieldProps = FieldProps &
  ComboboxProps & {
    /** Shown while nothing is chosen. */
    placeholder: string;
    /** Shown below the options, such as that nothing was found. */
    note: string | null;
  };

/** A field to choose one of many options by typing. Clearing it chooses none. */
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
