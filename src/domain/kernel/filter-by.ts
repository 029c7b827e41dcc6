import type { ListFilter } from "./page.ts";

/** What takes a value of a statement and gives the placeholder that stands for it. */
type Param = Parameters<ListFilter>[0];

/** A condition in SQL, once it has its placeholders. */
export type Condition = (param: Param) => string;

/** For a filter's fields the condition in SQL that each stands for, with the placeholder of its value. */
export type Comparisons<Fields> = { readonly [Name in keyof Fields]?: (placeholder: string) => string };

/**
 * Makes the conditions of a list from the fields of a filter that are given, and from others.
 *
 * @returns null where there are none: then the list's total is kept, and not counted.
 */
export function filterBy<Fields extends object>(
  fields: Fields,
  comparisons: Comparisons<Fields>,
  others: readonly Condition[] = [],
): ListFilter | null {
  // Object.entries() loses the names.
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
