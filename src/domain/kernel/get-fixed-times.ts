import type { Ctx } from "./context.ts";

/**
 * Gives the fields of a new row the context's time if that is fixed, as in tests. Otherwise gives none of
 * them: the columns' default is PostgreSQL's time.
 */
export function getFixedTimes<Field extends string>(
  { now }: Pick<Ctx, "now">,
  ...fields: readonly Field[]
): { [Name in Field]?: Date } {
  if (now === null) return {};
  // Object.fromEntries() loses the names' types.
  return Object.fromEntries(fields.map((field) => [field, now])) as { [Name in Field]: Date };
}
