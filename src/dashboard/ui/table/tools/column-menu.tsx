import { CheckField } from "../../form/check-field.tsx";
import type { Column } from "../row.tsx";
import { DropDown } from "../../drop-down.tsx";

export type ColumnMenuProps = {
  columns: readonly Pick<Column<never>, "header">[];
  hidden: ReadonlySet<string>;
  onChange: (hidden: ReadonlySet<string>) => void;
};

/** Chooses the columns of a table. The first one, which names the rows, always stays. */
export function ColumnMenu({ columns: [, ...columns], hidden, onChange }: ColumnMenuProps) {
  return (
    <DropDown label="Columns" icon="columns-3">
      {columns.map(({ header }) => (
        <CheckField
          key={header}
          label={header}
          name={header}
          isChecked={!hidden.has(header)}
          onChange={(isShown) => {
            const others = [...hidden].filter((each) => each !== header);
            onChange(new Set(isShown ? others : [...others, header]));
          }}
        />
      ))}
    </DropDown>
  );
}
