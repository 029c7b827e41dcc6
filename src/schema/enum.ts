import { builder } from "./builder.ts";

/** Makes an object for {@link addEnum} in which each key is its own value. */
export function toEnumValues<Name extends string>(names: readonly Name[]): { [Key in Name]: Key } {
  // Object.fromEntries() loses the type of each key.
  return Object.fromEntries(names.map((name) => [name, name])) as { [Key in Name]: Key };
}

/** Adds an enum. Its values are in upper case in GraphQL and in lower case everywhere else. */
export function addEnum<Values extends Record<string, string>>(
  name: string,
  values: Values,
  description: string,
) {
  type Value = Values[keyof Values];
  const entries = Object.values(values).map((value) => [value.toUpperCase(), { value }] as const);
  return builder.enumType(name, {
    description,
    // Object.fromEntries() loses the values' types.
    values: Object.fromEntries(entries) as Record<string, { value: Value }>,
  });
}
