/** The fields of a GraphQL input that are there: null says the same as leaving a field out. */
export function omitNulls<Input extends object>(
  input: Input,
): { [Key in keyof Input]?: NonNullable<Input[Key]> } {
  const entries = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  // Only entries that are null or undefined are gone.
  return Object.fromEntries(entries) as { [Key in keyof Input]?: NonNullable<Input[Key]> };
}
