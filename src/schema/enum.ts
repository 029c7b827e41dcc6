import { builder } from "./builder.ts";

/** Adds an enum whose values are spelled in capitals in GraphQL and in lower case everywhere else. */
export function enumOf<Values extends Record<string, string>>(
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
