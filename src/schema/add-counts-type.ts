import { builder } from "./builder.ts";

/** Row counts by status. A status without rows is left out. */
type Counts<Status extends string> = Partial<Record<Status, number>>;

/** Adds a type with an Int field per status, in camel case, and `total`, their sum. */
export function addCountsType<Status extends string>(
  name: string,
  statuses: readonly Status[],
  description: string,
) {
  return builder.objectRef<Counts<Status>>(name).implement({
    description,
    fields: (t) => ({
      total: t.int({ resolve: (counts) => statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0) }),
      ...Object.fromEntries(
        statuses.map((status) => [toCamelCase(status), t.int({ resolve: (counts) => counts[status] ?? 0 })]),
      ),
    }),
  });
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
