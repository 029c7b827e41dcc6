import { builder } from "./builder.ts";

/** A list of names as {@link addEnum} takes them: one entry for each, under its own name. */
export function toEnumValues<Name extends string>(names: readonly Name[]): { [Key in Name]: Key } {
  // Object.fromEntries() loses which value stands under which name.
  return Object.fromEntries(names.map((name) => [name, name])) as { [Key in Name]: Key };
}

/** Adds an enum whose values are spelled in capitals in GraphQL and in lower case everywhere else. */
export function addEnum<Values extends Record<string, string>>(
  name: string,
  values: Values,
  description: string,
) {
  type Value = Values[keyof Values];
  const entries = Object.values(values).map((value) => [value.toUpperCase(), { value }] as const);
  return builder.enumType(name, {
    description,
    // The entries above lose their values' types.
    values: Object.fromEntries(entries) as Record<string, { value: Value }>,
  });
}
