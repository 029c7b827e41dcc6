import type { ListFilter } from "./page.ts";

/** Adds a value to a statement and returns its placeholder. */
type Param = Parameters<ListFilter>[0];

/** An SQL condition, built with its placeholders. */
export type Condition = (param: Param) => string;

/** The SQL condition for each field of a filter, given the placeholder of its value. */
export type Comparisons<Fields> = { readonly [Name in keyof Fields]?: (placeholder: string) => string };

/**
 * Builds the conditions of a list from the given fields of a filter, and others.
 *
 * @returns null if there are none: then the list's stored total applies.
 */
export function filterBy<Fields extends object>(
  fields: Fields,
  comparisons: Comparisons<Fields>,
  others: readonly Condition[] = [],
): ListFilter | null {
  // Object.entries() loses the names' types.
  const entries = Object.entries(comparisons) as [keyof Fields, (placeholder: string) => string][];
  const given = entries.filter(([name]) => fields[name] !== null && fields[name] !== undefined);
  const compared = given.map(
    ([name, compare]): Condition =>
      (param) =>
        compare(param(fields[name])),
  );
  const conditions = [...compared, ...others];
  return conditions.length === 0 ? null : (param) => conditions.map((condition) => condition(param));
}
