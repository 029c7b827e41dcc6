/** Drops fields that are null: in a GraphQL input, null means the same as leaving the field out. */
export function omitNulls<Input extends object>(
  input: Input,
): { [Key in keyof Input]?: NonNullable<Input[Key]> } {
  const entries = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  // Only null and undefined entries are removed.
  return Object.fromEntries(entries) as { [Key in keyof Input]?: NonNullable<Input[Key]> };
}
