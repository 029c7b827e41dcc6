import { isDeepStrictEqual } from "node:util";
import { toColumnName } from "../../db/columns.ts";

/**
 * Lists what changes of a row, by the columns' names, as audit rows say it.
 *
 * @param show formats a value. Default: as it is.
 */
export function listChanges<Row extends object>(
  before: Row,
  wanted: Partial<Row>,
  show: (value: unknown) => unknown = (value) => value,
): Record<string, { from: unknown; to: unknown }> {
  // Object.keys() loses the names' types.
  const names = (Object.keys(wanted) as (keyof Row & string)[]).filter(
    (name) => !isDeepStrictEqual(before[name], wanted[name]),
  );
  return Object.fromEntries(
    names.map((name) => [toColumnName(name), { from: show(before[name]), to: show(wanted[name]) }]),
  );
}
